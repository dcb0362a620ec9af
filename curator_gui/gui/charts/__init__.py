"""Charts painted with QPainter; each takes plain values and knows no session."""
