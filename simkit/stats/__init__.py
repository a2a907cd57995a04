"""What the numbers say: one question per file, arrays and DataFrames in, estimates with intervals out."""
