"""One kind of figure per file: DataFrame in, matplotlib Figure out; nothing is computed here."""
