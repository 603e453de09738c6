"""The service's HTTP conventions: callers, limits, preconditions, problems, metrics."""
