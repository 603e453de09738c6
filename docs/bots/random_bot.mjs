// Play a seat with random legal moves: node random_bot.mjs http://localhost:8000 MATCH TOKEN
const [url, match, token] = process.argv.slice(2);

async function send(path, body) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const method = body ? "POST" : "GET";
  return fetch(`${url}/matches/${match}${path}`, { method, headers, body: JSON.stringify(body) });
}

const seat = (await (await send("")).json()).you.seat;
const stream = (await send("/stream")).body.pipeThrough(new TextDecoderStream());
for await (const text of stream) {
  if (!text.includes("data:") || text.includes("event: closing\n")) continue; // the server stops
  const legal = await (await send("/legal?all=true")).json();
  const secret = (legal.secret[seat] ?? []).flatMap((kind) => kind.sample);
  const texts = legal.legal[seat]?.length ? legal.legal[seat] : secret;
  if (texts.length) {
    const answer = await send("/events", { events: [{ text: texts[Math.floor(Math.random() * texts.length)] }] });
    if (!answer.ok) console.log("refused:", (await answer.json()).detail); // another seat was quicker
  } else {
    const { outcome } = await (await send("")).json();
    if (outcome) {
      console.log(JSON.stringify(outcome));
      process.exit();
    }
  }
}
