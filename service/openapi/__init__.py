"""The OpenAPI schema, made from the routes and the models."""
