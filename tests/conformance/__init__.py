"""The conformance suite on every game that is found, built in or installed."""
