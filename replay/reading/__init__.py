"""Read a recorded match: its timeline, jumps, highlights, differences and hints."""
