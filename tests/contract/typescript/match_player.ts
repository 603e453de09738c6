/**
 * Play recorded matches with a client generated from the schema, and follow each with EventSource,
 * as a foreign program would.
 *
 * Reads the matches from standard input and writes their outcomes.
 */

import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { EventSource } from "eventsource";

import type { components } from "./generated/schema.js";

type Schemas = components["schemas"];
export type Opening = Schemas["MatchOpening"];
export type Entry = Schemas["EventEntry"];
export type Opened = Pick<Schemas["OpenedMatch"], "match" | "tokens">;
export type Entered = Pick<Schemas["EnteredEvents"], "version" | "stored" | "events">;
export type Refusal = Pick<Schemas["Refusal"], "clause">;
export type Standing = Pick<Schemas["Standing"], "outcome" | "awaiting">;

/** The requests that a generated client sends. Each rejects an unexpected answer. */
export interface Client {
  open(opening: Opening): Promise<Opened>;
  enter(match: string, token: string, entry: Entry, expected: number): Promise<Entered | Refusal>;
  show(match: string): Promise<Standing>;
}

interface Match {
  opening: Opening;
  events: Entry[];
  by_seats: boolean;
}

export async function playAll(client: Client, url: string): Promise<void> {
  const matches = JSON.parse(await text(process.stdin)) as Match[];
  const outcomes = [];
  for (const match of matches) outcomes.push(await play(client, url, match));
  process.stdout.write(JSON.stringify(outcomes));
}

async function play(client: Client, url: string, { opening, events, by_seats }: Match) {
  const { match, tokens } = await client.open(opening);
  const follower = await follow(url, match, events.length);
  for (const [version, entry] of events.entries()) {
    const own = by_seats && entry.seat ? tokens.seats[String(entry.seat)] : undefined;
    const entered = await client.enter(match, own ?? tokens.host, entry, version);
    assert("version" in entered, JSON.stringify(entered));
    assert.equal(entered.version, version + 1);
    assert.equal(entered.events.length, 1);
  }
  const late = await client.enter(match, tokens.host, { text: "1:resign" }, events.length);
  assert("clause" in late && late.clause === "over", JSON.stringify(late));
  const { outcome, awaiting } = await client.show(match);
  assert.deepEqual(awaiting, []);
  const versions = await follower.ended;
  assert.deepEqual(versions, [...events.keys()].map((index) => index + 1));
  return outcome;
}

/** Follow a match as a spectator. `ended` are the versions that were told, up to the last. */
async function follow(url: string, match: string, last: number) {
  const versions: number[] = [];
  const source = new EventSource(`${url}/matches/${match}/stream`);
  const ended = new Promise<number[]>((done, fail) => {
    source.addEventListener("logged", ({ data }) => {
      const { version } = JSON.parse(data) as Schemas["Happened"];
      versions.push(version);
      if (version < last) return;
      source.close();
      done(versions);
    });
    source.onerror = (error) => fail(new Error(error.message));
  });
  await new Promise((begun) => source.addEventListener("standing", begun));
  return { ended };
}
