"""Ways to take pebbles."""
