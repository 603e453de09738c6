"""The HTTP service of Plybook: the referee's API and the pages, as a Litestar application."""
