"""Files and databases in and out."""
