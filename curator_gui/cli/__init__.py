"""The command line: everything the window does, without a window."""
