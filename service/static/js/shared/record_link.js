/** A match in a link: its text record behind `#r=`, deflated and in base64url (replay/formats/record_link.py). */

const LINK = /^#r=([\w-]+)$/;
const LONGEST = 1024 * 1024;

export const hasRecord = () => LINK.test(location.hash);

/**
 * Return the record in the address of this page, nothing if there is none. Rejects for a damaged one.
 *
 * @type {() => Promise<string>}
 */
export async function linkedRecord() {
  const packed = LINK.exec(location.hash)?.[1];
  if (!packed) return "";
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return read(unpacked.pipeThrough(new TextDecoderStream()).getReader());
}

/** @type {(reader: ReadableStreamDefaultReader<string>) => Promise<string>} */
async function read(reader) {
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > LONGEST) throw new RangeError("this link has too much");
  }
}
