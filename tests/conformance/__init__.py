"""Run the conformance suite on every registered game, built in or installed."""
