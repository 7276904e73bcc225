import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { type Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import type { Checksum } from "./archive-format.js";

const NEWLINE = 0x0a;

/** Fast rather than small: the level of zlib. */
const LEVEL = 3;

/** Writes the parts of an archive one after the other; each waits in a file first, because tar begins with its size. */
export class ArchiveWriter {
  readonly checksums: Checksum[] = [];
  readonly #pack = pack();
  readonly #written: Promise<void>;
  readonly #waiting: string;

  /** @param folder - an empty one for what waits. */
  constructor(output: Writable, folder: string) {
    this.#waiting = join(folder, "part");
    this.#written = pipeline(this.#pack, createGzip({ level: LEVEL }), output);
    // The call that writes a part or ends the archive rejects with it.
    this.#written.catch(() => undefined);
  }

  /** Adds a part. @param isText - whether its lines are counted. */
  async add(path: string, content: Readable, isText = true): Promise<Checksum> {
    const hash = createHash("sha256");
    let [bytes, lines] = [0, 0];
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        bytes += chunk.length;
        if (isText) for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
        done(null, chunk);
      },
    });
    await pipeline(content, meter, createWriteStream(this.#waiting));
    const entry = this.#pack.entry({ name: path, size: bytes, mode: 0o600 });
    await Promise.race([pipeline(createReadStream(this.#waiting), entry), this.#failure()]);
    const checksum = { path, sha256: hash.digest("hex"), bytes, lines: isText ? lines : null };
    this.checksums.push(checksum);
    return checksum;
  }

  /** Ends the archive, once all of it has been taken. @throws what writing it throws */
  async end(): Promise<void> {
    this.#pack.finalize();
    await this.#written;
  }

  /** Ends it where it is. */
  abort(error: Error): void {
    this.#pack.destroy(error);
  }

  /** Rejects when the output does; a reader that went away would be waited for without end. */
  #failure(): Promise<never> {
    return new Promise((_, reject) => this.#written.catch(reject));
  }
}
