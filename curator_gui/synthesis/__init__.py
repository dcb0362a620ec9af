"""Differentially private synthetic tables, customized to the queries their user cares about."""
