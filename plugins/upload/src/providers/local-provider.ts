import { randomBytes } from "node:crypto";
import { constants, createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { option, options, optionsParser, text, whole } from "@plinth/core/options";
import type { ByteRange, FileToStore, ProviderFactory, StorageEntry, StorageState } from "../contract.js";
import { ConfigInvalidError } from "../errors.js";
import { SERVED_PATH } from "../routes.js";
import { serveFile } from "./serve-file.js";
import { assertKey, isKey } from "./storage-key.js";

/** What `providerOptions` of the local provider may hold. */
const localOptions = options({
  directory: option(text("files"), "Where files are kept; relative to the project.", ".plinth/uploads"),
  maxAge: option(
    whole(0),
    "Seconds for which browsers and proxies may keep formats of pictures. They ask for files themselves each time (304), which can be replaced.",
    7 * 24 * 60 * 60,
  ),
});

const parse = optionsParser(localOptions, ConfigInvalidError, "providerOptions");

/** Names of unfinished files; nothing that is served or listed begins with a dot. */
const UNFINISHED = /^\..+\.[0-9a-f]{12}$/;

/** Keeps files in a directory of this machine, and serves them. @throws PLINTH_UPLOAD_CONFIG_INVALID (500) */
export const localProvider: ProviderFactory = async ({ app, options: raw }) => {
  const { directory: given, maxAge } = parse(raw);
  // Files live as long as their rows: `plinth routes` starts the app on a database in memory.
  const isTemporary = raw["directory"] === undefined && app.config.get("database.directory") === ":memory:";
  // Loaded where it is needed: it brings the library that reads archives.
  const temporary = isTemporary ? await (await import("@plinth/core/archive")).makeTemporaryFolder("files") : undefined;
  const directory = temporary?.path ?? resolve(app.root, given);
  await removeUnfinished(directory);
  const pathOf = (key: string) => {
    assertKey(key);
    return join(directory, key);
  };
  return {
    name: "local",
    put: async (file) => {
      await writeAtOnce(pathOf(file.key), file);
      return { url: `${SERVED_PATH}/${file.key}` };
    },
    open: async (key, range) => openFile(pathOf(key), range),
    delete: async (key) => rm(pathOf(key), { force: true }),
    list: () => listDirectory(directory),
    serve: serveFile({ directory, maxAge }),
    check: () => checkDirectory(directory),
    close: async () => temporary?.remove(),
  };
};

/** A file that is never written again says so by its mode, which `serveFile` reads. */
const FINAL_MODE = 0o444;

/** Writes are atomic: to a temporary file, which is synced and renamed. */
async function writeAtOnce(path: string, { key, stream, isFinal }: FileToStore): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true });
  const beside = join(directory, `.${key}.${randomBytes(6).toString("hex")}`);
  try {
    await pipeline(
      stream(),
      createWriteStream(beside, { flags: "wx", flush: true, mode: isFinal ? FINAL_MODE : 0o666 }),
    );
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** A temporary file that is older than a day was left behind by a killed process. */
const MAX_AGE = 24 * 60 * 60 * 1000;

async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await namesIn(directory)) {
    if (!UNFINISHED.test(name)) continue;
    const found = await stat(join(directory, name)).catch(() => undefined);
    if (found?.isFile() && Date.now() - found.mtimeMs > MAX_AGE) await rm(join(directory, name), { force: true });
  }
}

/** Opened at once, so that a missing file rejects the call, and does not fail the stream. */
async function openFile(path: string, range: ByteRange = { start: 0 }): Promise<Readable> {
  const handle = await open(path, "r");
  return createReadStream(path, { fd: handle, ...range });
}

async function* listDirectory(directory: string): AsyncIterable<StorageEntry> {
  for (const key of await namesIn(directory)) {
    // Not of this provider: unfinished, or put there by hand.
    if (!isKey(key)) continue;
    // A file may be deleted between the listing and the look at it.
    const found = await stat(join(directory, key)).catch(() => undefined);
    if (found?.isFile()) yield { key, size: found.size, modifiedAt: found.mtime };
  }
}

/** Whether a directory, or the nearest one above it that is there, can be written to, and the room in it. @throws the system's error */
async function checkDirectory(directory: string): Promise<StorageState> {
  try {
    // With a separator: a file in its place is none.
    await access(`${directory}${sep}`, constants.W_OK | constants.X_OK);
    const { bavail, bsize, files, ffree } = await statfs(directory);
    const hasNoNames = files > 0 && ffree === 0;
    return { free: hasNoNames ? 0 : bavail * bsize };
  } catch (error) {
    const above = dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || above === directory) throw error;
    return await checkDirectory(above);
  }
}

/** Names in a directory that is made when the first file comes. */
async function namesIn(directory: string): Promise<readonly string[]> {
  return await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
