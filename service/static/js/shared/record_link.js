/**
 * A match in a link: its text record behind `#r=`, deflated and in base64url, or a part of it behind
 * `#c=` with its number, the number of parts and the beginning of a digest (replay/formats/record_link.py).
 */

import { CHAINS, forget, rememberPart } from "./device_memory.js";

const LINK = /^#r=([\w-]+)$/;
const PART = /^#c=(\d{1,2})\.(\d{1,2}\.[0-9a-f]{8})\.([\w-]+)$/;
const LONGEST = 1024 * 1024;

export const hasRecord = () => LINK.test(location.hash) || PART.test(location.hash);

/**
 * Return the record in the address of this page, empty if there is none, and the numbers of the
 * codes that are missing. Rejects for a damaged record.
 *
 * @type {() => Promise<{ record: string, missing: number[], count: number }>}
 */
export async function linkedRecord() {
  const { packed, missing, count } = joined();
  return { record: packed ? await unpacked(packed) : "", missing, count };
}

function joined() {
  const [, number, chain, part] = PART.exec(location.hash) ?? [];
  if (!part) return { packed: LINK.exec(location.hash)?.[1] ?? "", missing: [], count: 1 };
  const parts = rememberPart(chain, Number(number), part);
  const count = parseInt(chain, 10);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const missing = numbers.filter((each) => !parts[each]);
  if (missing.length) return { packed: "", missing, count };
  forget(CHAINS, chain);
  return { packed: numbers.map((each) => parts[each]).join(""), missing, count };
}

/** @type {(packed: string) => Promise<string>} */
async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const unpacking = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return read(unpacking.pipeThrough(new TextDecoderStream()).getReader());
}

/** @type {(reader: ReadableStreamDefaultReader<string>) => Promise<string>} */
async function read(reader) {
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > LONGEST) throw new RangeError("this link is too long");
  }
}
