# An engine that plays at random: plybook bot --engine "python random_engine.py" …
import random
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "go":
        seat, *offered = rest
        print("play", random.choice(offered), flush=True)
