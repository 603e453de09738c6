# Play all matches of an account with random moves: python random_bot.py http://localhost:8000 TOKEN
import json
import random
import sys
import time
from urllib.request import Request, urlopen

url, token, place = *sys.argv[1:], {}  # the place of the last message in the stream


def send(path, body=None, **headers):
    headers |= {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return urlopen(Request(url + path, body and json.dumps(body).encode(), headers))


while True:
    try:
        for line in send("/account/stream", Accept="application/x-ndjson", **place):
            news = json.loads(line)
            event, match = news["event"], news["data"]
            place = {"Last-Event-ID": str(news["id"])} if news["id"] else place
            if event == "ended":
                print(match["match"], json.dumps(match["outcome"]), flush=True)
            if event == "turn":
                secret = [move for kind in match["secret"] for move in kind["sample"]]
                move = {"text": random.choice(match["legal"] or secret)}
                body = {"events": [move], "expected": match["version"]}
                send(f"/matches/{match['match']}/events", body)
    except OSError:  # another seat was quicker, or the server starts again
        time.sleep(1)
