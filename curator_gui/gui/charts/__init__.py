"""Charts, painted by hand."""
