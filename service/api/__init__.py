"""The API for programs: its routes, what they take and answer, and the schema made of them."""
