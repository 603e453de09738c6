# Play a seat with random legal moves: python random_bot.py http://localhost:8000 MATCH TOKEN
import json
import random
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url, match, token = sys.argv[1:]


def send(path, body=None):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    sent = body and json.dumps(body).encode()
    return urlopen(Request(f"{url}/matches/{match}{path}", sent, headers))


seat = str(json.load(send(""))["you"]["seat"])
for line in send("/stream"):
    if not line.startswith(b"data:") or line.startswith(b'data: {"retry"'):  # the server stops
        continue
    legal = json.load(send("/legal?all=true"))
    secret = [token for kind in legal["secret"].get(seat, []) for token in kind["sample"]]
    if tokens := legal["legal"].get(seat) or secret:
        try:
            send("/events", {"events": [{"token": random.choice(tokens)}]})
        except HTTPError as error:
            print("refused:", json.load(error)["detail"])  # another seat was quicker
    elif outcome := json.load(send(""))["outcome"]:
        print(json.dumps(outcome))
        break
