"""Pictures made of pixels: a position as PNG, a match as animated GIF. They need an extra."""
