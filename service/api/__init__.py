"""The HTTP API: its routes, and the schema built from them."""
