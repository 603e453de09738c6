"""Pages for people: HTML with drawn boards, and small JavaScript modules. See `service.api`."""
