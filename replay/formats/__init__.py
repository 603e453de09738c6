"""File formats: text records, archives, HTML pages, score sheets, pictures."""
