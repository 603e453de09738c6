"""Pages for people: HTML with drawn boards, and small JavaScript modules."""

from __future__ import annotations

from service.pages import adjust as adjust
from service.pages import ahead as ahead
from service.pages import api_reference as api_reference
from service.pages import cards as cards
from service.pages import compare as compare
from service.pages import embed as embed
from service.pages import explore as explore
from service.pages import home as home
from service.pages import how_to_play as how_to_play
from service.pages import library as library
from service.pages import match as match
from service.pages import mine as mine
from service.pages import offline as offline
from service.pages import pocket as pocket
from service.pages import replay as replay
from service.pages import rules as rules
from service.pages import share as share
from service.pages import start as start
from service.pages import stood as stood
from service.pages import unopened as unopened
