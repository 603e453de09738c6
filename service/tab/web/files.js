/**
 * Backs files of Python with handles of the browser's storage, which write immediately.
 *
 * Python reads from memory. Every write goes to the handle first and then to memory. Emscripten's
 * `fdatasync`, which SQLite calls, does nothing; therefore this keeps the order that SQLite asks for:
 * the log is durable before the database is written, and the database before the log begins anew.
 * `os.fsync` makes all files durable.
 */

const EIO = 29;
const ENOSPC = 51;
const DATABASE = "book.db";
const LOG = "book.db-wal";

/** The files of a folder that outlive the tab. */
export const NAMES = [DATABASE, LOG, "before-update.db", "cookies-0.json", "cookies-1.json"];

/**
 * The methods of a file in the browser's storage (`FileSystemSyncAccessHandle`).
 *
 * @typedef {{
 *   getSize: () => number, truncate: (size: number) => void, flush: () => void,
 *   read: (bytes: Uint8Array, at: { at: number }) => number,
 *   write: (bytes: ArrayBufferView, at: { at: number }) => number,
 * }} Handle
 */

/**
 * Make a folder whose files of these names have handles, and fill it with the files that were kept.
 *
 * @type {(FS: any, folder: string, handles: Record<string, Handle>) => void}
 */
export function keepFiles(FS, folder, handles) {
  const dirty = new Set();

  /** @type {<T>(act: () => T) => T} */
  const guarded = (act) => {
    try {
      return act();
    } catch (error) {
      if (error instanceof FS.ErrnoError) throw error;
      throw new FS.ErrnoError(/** @type {any} */ (error).name === "QuotaExceededError" ? ENOSPC : EIO);
    }
  };
  /** @type {(name: string) => void} */
  const flush = (name) => {
    if (!dirty.has(name)) return;
    handles[name].flush();
    dirty.delete(name);
  };
  /** @type {(name: string, anew: boolean) => void} */
  const keepOrder = (name, anew) => {
    if (name === DATABASE) flush(LOG);
    else if (name === LOG && anew) flush(DATABASE);
    dirty.add(name);
  };
  /** @type {(name: string, bytes: ArrayBufferView, at: number) => void} */
  const write = (name, bytes, at) => {
    if (handles[name].write(bytes, { at }) !== bytes.byteLength) throw new FS.ErrnoError(ENOSPC);
  };
  /** @type {(name: string, size: number) => void} */
  const resize = (name, size) => {
    keepOrder(name, true);
    handles[name].truncate(size);
  };
  /**
   * Write a whole file; until its first byte is written, it counts as missing.
   * @type {(name: string, bytes: Uint8Array) => void}
   */
  const replace = (name, bytes) => {
    resize(name, 0);
    if (!bytes.length) return;
    write(name, bytes.subarray(1), 1);
    flush(name);
    keepOrder(name, true);
    write(name, bytes.subarray(0, 1), 0);
    flush(name);
  };

  /** @type {(node: any, name: string) => void} */
  const back = (node, name) => {
    const memory = node.stream_ops;
    const { setattr } = node.node_ops;
    node.stream_ops = {
      ...memory,
      write: (/** @type {any} */ stream, /** @type {Int8Array} */ buffer, /** @type {number} */ offset, /** @type {number} */ length, /** @type {number} */ at) =>
        guarded(() => {
          keepOrder(name, at === 0);
          write(name, buffer.subarray(offset, offset + length), at);
          return memory.write(stream, buffer, offset, length, at, false);
        }),
      fsync: () => guarded(() => ([...NAMES].reverse().forEach(flush), 0)),
    };
    node.node_ops = {
      ...node.node_ops,
      setattr: (/** @type {any} */ its, /** @type {{ size?: number }} */ attributes) =>
        guarded(() => {
          if (attributes.size !== undefined) resize(name, attributes.size);
          setattr(its, attributes);
        }),
    };
  };

  FS.mkdirTree(folder);
  const root = FS.lookupPath(folder).node;
  for (const name of NAMES) {
    const bytes = new Uint8Array(handles[name].getSize());
    handles[name].read(bytes, { at: 0 });
    if (!bytes[0]) continue;
    FS.writeFile(`${folder}/${name}`, bytes);
    back(FS.lookupPath(`${folder}/${name}`).node, name);
  }

  const { mknod, rename, unlink } = root.node_ops;
  const isOurs = (/** @type {any} */ parent, /** @type {string} */ name) => parent === root && name in handles;
  const watched = {
    ...root.node_ops,
    mknod: (/** @type {any} */ parent, /** @type {string} */ name, /** @type {number} */ mode, /** @type {number} */ device) => {
      const made = mknod(parent, name, mode, device);
      // A file that will be renamed to one of ours may be in a folder within this folder.
      if (FS.isDir(mode)) made.node_ops = watched;
      if (isOurs(parent, name)) guarded(() => (replace(name, made.contents), back(made, name)));
      return made;
    },
    rename: (/** @type {any} */ old, /** @type {any} */ parent, /** @type {string} */ name) => {
      if (isOurs(parent, name)) guarded(() => (replace(name, old.contents.subarray(0, old.usedBytes)), back(old, name)));
      rename(old, parent, name);
    },
    unlink: (/** @type {any} */ parent, /** @type {string} */ name) => {
      if (isOurs(parent, name)) guarded(() => (resize(name, 0), flush(name)));
      unlink(parent, name);
    },
  };
  root.node_ops = watched;
}
