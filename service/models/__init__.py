"""Request and response bodies of the API, and the OpenAPI schema made of them."""
