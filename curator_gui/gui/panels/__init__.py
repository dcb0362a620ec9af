"""The window's docks, one file a panel."""
