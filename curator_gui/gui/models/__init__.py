"""Qt item models over the values below the window."""
