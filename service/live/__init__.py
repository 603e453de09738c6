"""Following a match: live streams and WebHooks, told what happens as each viewer may know it."""
