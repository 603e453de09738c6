"""The HTTP API: one module for each resource. `service.app` mounts what they have.

It names none of them: a worker process imports only the modules that its work needs.
"""
