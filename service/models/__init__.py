"""Request and response bodies of the API, from which the OpenAPI schema is made."""
