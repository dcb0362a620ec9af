"""Exact amounts of privacy budget and the negotiation over a pool."""
