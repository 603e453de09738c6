"""The HTTP API: its routes, and the schema built from them."""

from service.api import account as account
from service.api import accounts as accounts
from service.api import analysis as analysis
from service.api import annotations as annotations
from service.api import book_hooks as book_hooks
from service.api import changes as changes
from service.api import corrections as corrections
from service.api import events as events
from service.api import exports as exports
from service.api import forks as forks
from service.api import games as games
from service.api import health as health
from service.api import hints as hints
from service.api import hooks as hooks
from service.api import imports as imports
from service.api import invitations as invitations
from service.api import judged_as as judged_as
from service.api import judging as judging
from service.api import library as library
from service.api import matches as matches
from service.api import people as people
from service.api import reconstruction as reconstruction
from service.api import streams as streams
from service.api import tagged_records as tagged_records
from service.api import tags as tags
