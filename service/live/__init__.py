"""Live updates of matches: streams and WebHooks, filtered for each viewer."""
