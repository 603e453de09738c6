/** Files of records: their bytes go to the server, which knows encodings; their text is only shown. */

/** @type {(bytes: Uint8Array) => string} */
export function decode(bytes) {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  if (mark === 0xfffe) return new TextDecoder("utf-16le").decode(bytes);
  if (mark === 0xfeff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * Return the media type that the ending of a file says.
 *
 * @type {(name: string, types: Record<string, string>) => string}
 */
export function mediaType(name, types) {
  const ending = /\.\w+$/.exec(name.toLowerCase())?.[0] ?? "";
  return types[ending] ?? "text/plain";
}
