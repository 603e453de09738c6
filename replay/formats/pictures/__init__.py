"""Raster pictures: a position as PNG, a match as an animated GIF. They need an optional extra."""
