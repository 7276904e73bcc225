/** How large an archive may be before it is refused: larger ones would fill a disk or the memory. */
export interface ReadLimits {
  /** Files, folders included. */
  readonly files: number;
  /** Bytes of all of it, unpacked. */
  readonly bytes: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Bytes of one line. */
  readonly lineBytes: number;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** The default limits. */
export const READ_LIMITS: ReadLimits = {
  files: 2_000_000,
  bytes: 64 * GIB,
  fileBytes: 4 * GIB,
  lineBytes: 64 * MIB,
};

/** For an archive that is trusted: `--no-limits`. The nesting of its lines stays limited. */
export const NO_READ_LIMITS: ReadLimits = {
  files: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  fileBytes: Number.POSITIVE_INFINITY,
  lineBytes: Number.POSITIVE_INFINITY,
};

/** What an archive is read under, and how it is refused: each format has errors of its own. */
export interface ReadGuard {
  readonly limits: ReadLimits;
  /** @param what - completes "has more than 5 ...". */
  tooLarge(what: string, limit: number): Error;
  /** @param reason - completes "the archive ...". */
  damaged(reason: string): Error;
}

/** A file of an archive or a folder. Its bytes are to be read before the next one is asked for, or never. */
export interface ListedFile {
  /** With `/` between folders, as the archive has it: it may lead anywhere. */
  readonly path: string;
  /** `file`, or what else it is: `symlink`, `directory`, ... */
  readonly kind: string;
  readonly size: number;
  open(): AsyncIterable<Buffer>;
}

/** The same files, up to the limits. @throws what `tooLarge` makes */
export async function* withinLimits(
  listed: AsyncIterable<ListedFile>,
  { limits, tooLarge }: ReadGuard,
): AsyncIterable<ListedFile> {
  let [files, bytes] = [0, 0];
  for await (const file of listed) {
    files += 1;
    bytes += file.size;
    if (files > limits.files) throw tooLarge("files", limits.files);
    if (file.size > limits.fileBytes) throw tooLarge(`bytes in ${printable(file.path)}`, limits.fileBytes);
    if (bytes > limits.bytes) throw tooLarge("bytes", limits.bytes);
    yield file;
  }
}

/** A name of an archive as a terminal may print it. */
export const printable = (path: string): string => JSON.stringify(path.slice(0, 120)).slice(1, -1);
