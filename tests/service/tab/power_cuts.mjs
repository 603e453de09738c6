/**
 * Runs Plybook of a site in Node over files that lose what was not flushed, plays, and writes what a
 * cut of the power would leave at many moments: each write since the last flush is there or lost.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const [, , site, worker, out, seed] = process.argv;
const CUTS = 15;
/** Moves between two erasures, after which SQLite writes the log into the database and empties it. */
const ERASING = 8;

let state = Number(seed);
const chance = () => (state = (state * 48271) % 2147483647) / 2147483647;

/** Bytes with something done to them: written to, or cut. */
function after(bytes, { at, data, size }) {
  const length = size ?? Math.max(bytes.length, at + data.length);
  const made = new Uint8Array(length);
  made.set(bytes.subarray(0, length));
  if (data) made.set(data, at);
  return made;
}

class LosingFile {
  now = new Uint8Array();
  kept = new Uint8Array();
  pending = [];

  getSize = () => this.now.length;
  read = (bytes, { at }) => bytes.set(this.now.subarray(at, at + bytes.length));
  truncate = (size) => this.change({ size });
  flush = () => ([this.kept, this.pending] = [this.now, []]);
  write(view, { at }) {
    this.change({ at, data: new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice() });
    return view.byteLength;
  }
  change(done) {
    this.now = after(this.now, done);
    this.pending.push(done);
    changes += 1;
    // The log begins anew: the moment that its order is for.
    if (this === handles[LOG] && !done.at && chance() < 0.5) dueCuts.add(changes).add(changes + 1);
    if (dueCuts.has(changes)) cut();
  }
  left = () => this.pending.filter(() => chance() < 0.5).reduce(after, this.kept);
}

let changes = 0;
let cuts = 0;
const dueCuts = new Set();
const acknowledged = {};
const LOG = "book.db-wal";
const { NAMES } = await import(`${worker}/files.js`);
const handles = Object.fromEntries(NAMES.map((name) => [name, new LosingFile()]));

function cut() {
  const folder = `${out}/cut-${cuts++}`;
  mkdirSync(folder);
  for (const name of NAMES) writeFileSync(`${folder}/${name}`, handles[name].left());
  writeFileSync(`${folder}/acknowledged.json`, JSON.stringify(acknowledged));
}

const parts = JSON.parse(readFileSync(`${site}/site.json`, "utf8"));
const { loadPyodide } = await import(`${site}/${parts.pyodide}pyodide.mjs`);
const { boot } = await import(`${worker}/boot.js`);
const archives = [parts.libraries, parts.plybook].map((name) => new Uint8Array(readFileSync(`${site}/${name}`)).buffer);
const ask = await boot({
  loadPyodide, pyodide: `${site}/${parts.pyodide}`, archives, handles, origin: "https://sheet.test", base: "/", tell: () => {},
});

/** Send, and call `told` before anything else runs once the answer begins. */
function send(method, path, body, token, told = () => {}) {
  const headers = [["content-type", "application/json"], ...(token ? [["authorization", `Bearer ${token}`]] : [])];
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    let text = "";
    const start = (status) => (status < 300 ? told() : reject(new Error(`${path}: status ${status}`)));
    const chunk = (part) => (text += new TextDecoder().decode(part));
    ask({ method, path, query: "", headers, navigates: false }, bytes, { start, chunk, end: () => resolve(JSON.parse(text)) });
  });
}

const moves = readFileSync(0, "utf8").split(" ");
const { match, tokens } = await send("POST", "/matches", { game: "poptrix" });
for (const [index, token] of moves.entries()) {
  if (chance() < CUTS / moves.length) dueCuts.add(changes + 1 + Math.floor(chance() * 20));
  const told = () => ((acknowledged[match] = index + 1), chance() < 0.1 && cut());
  await send("POST", `/matches/${match}/events`, { events: [{ text: token }] }, tokens.host, told);
  if (index % ERASING === 0) await send("PUT", `/matches/${match}/tags`, { tags: { Event: `Cup ${index}` } }, tokens.host);
}
console.log(JSON.stringify({ cuts }));
process.exit(0);
