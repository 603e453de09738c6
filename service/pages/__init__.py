"""Pages for people: HTML with boards drawn in it, brought to life by small modules."""
