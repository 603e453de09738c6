"""The HTTP API: one module for each resource. `service.app` mounts the routes of these modules.

This module names no route module: a worker process imports only the modules that its work needs.
"""
