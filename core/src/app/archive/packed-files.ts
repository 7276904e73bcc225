import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Headers } from "tar-stream";
import { PlinthError, reasonOf } from "../../base/error.js";
import { type ListedFile, type ReadGuard, withinLimits } from "./read-guard.js";

/** Bytes between two files of an archive, such as long names; tar keeps them in memory. */
const MAX_HEADER_BYTES = 1024 ** 2;

/**
 * Reads a tar from its start; files that are not opened are skipped. Links are listed as what they are, and never followed.
 *
 * @throws what the guard makes: `damaged` for what is no tar or ends early, `tooLarge` beyond the limits
 */
export function packedFiles(input: Readable, isGzipped: boolean, guard: ReadGuard): AsyncIterable<ListedFile> {
  return withinLimits(entriesOf(input, isGzipped, guard), guard);
}

async function* entriesOf(input: Readable, isGzipped: boolean, guard: ReadGuard): AsyncIterable<ListedFile> {
  const unpacked = extract();
  const meter = new Meter(guard);
  const parts = isGzipped ? [input, createGunzip()] : [input];
  const reading = pipeline([...parts, meter, unpacked]).catch((error: unknown) => unpacked.destroy(error as Error));
  try {
    for await (const entry of unpacked) {
      const { header } = entry;
      let failure: unknown;
      // What ends the archive while an entry is read ends this loop too, which says why.
      entry.on("error", (error) => {
        failure = error;
      });
      const size = header.size ?? 0;
      if (!Number.isSafeInteger(size) || size < 0) throw guard.damaged("has a file whose size is no number of bytes");
      meter.expect(size);
      // An archive can end before its last file is opened; node:stream would wait for a stream that ended then.
      const open = () => {
        if (failure) throw guard.damaged(`cannot be read (${reasonOf(failure)})`);
        return entry;
      };
      yield { path: nameOf(header), kind: header.type ?? "special file", size, open };
      entry.resume();
    }
  } catch (error) {
    if (error instanceof PlinthError) throw error;
    throw guard.damaged(`cannot be read (${reasonOf(error)})`);
  } finally {
    unpacked.destroy();
    input.destroy();
    await reading;
  }
}

const nameOf = ({ name }: Headers): string => name.replace(/^(\.\/)+/, "");

/** Counts the unpacked bytes of an archive, and ends it where they belong to no file. */
class Meter extends Transform {
  #seen = 0;
  #allowed = MAX_HEADER_BYTES;

  constructor(private readonly guard: ReadGuard) {
    super();
  }

  /** The bytes of a file come next. */
  expect(size: number): void {
    this.#allowed = this.#seen + size + MAX_HEADER_BYTES;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error?: Error | null, chunk?: Buffer) => void): void {
    this.#seen += chunk.length;
    done(this.#problem() ?? null, chunk);
  }

  #problem(): Error | undefined {
    const { limits, tooLarge, damaged } = this.guard;
    if (this.#seen > limits.bytes) return tooLarge("bytes", limits.bytes);
    if (this.#seen <= this.#allowed) return undefined;
    return damaged(`has more than ${MAX_HEADER_BYTES} bytes before a file, which no name needs`);
  }
}
