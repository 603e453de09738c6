# Mirror all matches into a folder, and then what has changed: python mirror.py URL FOLDER [TOKEN]
import json
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url, folder, *token = sys.argv[1:]
headers = {"Authorization": f"Bearer {token[0]}"} if token else {}  # an operator's token
place, page = Path(folder, "place"), {"more": True}
while page["more"]:
    query = place.read_text() if place.exists() else ""
    try:
        page = json.load(urlopen(Request(f"{url}/changes?{query}", headers=headers)))
    except HTTPError as error:
        if error.code != 410:
            raise
        for file in Path(folder).iterdir():  # the book was restored: start over
            file.unlink()
        continue
    for change in page["changes"]:
        file = Path(folder, f"{change['match']}.ply")
        file.unlink(missing_ok=True)
        if not change["gone"]:
            record = f"{url}/matches/{change['match']}/record?format=ply"
            file.write_bytes(urlopen(Request(record, headers=headers)).read())
    place.write_text(f"after={page['next']}&feed={page['feed']}")
