"""Capability tokens, visibility and web hooks: who may read and write a match."""
