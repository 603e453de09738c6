"""The HTTP API: one module for each resource. `service.app` mounts what they have.

This module names no route module: a worker process imports only the modules that its work needs.
"""
