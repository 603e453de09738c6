"""The HTTP service: the referee's API and the pages, as a Litestar application."""
