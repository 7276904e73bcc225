import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An entry of an archive, whatever its name leads to. */
export interface ArchiveEntry {
  readonly name: string;
  readonly bytes?: Buffer;
  /** Type flag of tar: `0` a file (default), `2` a symlink, `x` a pax header. */
  readonly type?: string;
  readonly target?: string;
}

const BLOCK = 512;

/** The bytes of an entry in an archive, its header first. */
export function archiveEntry({ name, bytes = Buffer.alloc(0), type = "0", target = "" }: ArchiveEntry): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write("0000644\0", 100);
  header.write("0000000\0".repeat(2), 108);
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write(" ".repeat(8), 148);
  header.write(type, 156);
  header.write(target, 157, 100);
  header.write("ustar\x0000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
}

/** Writes an archive that is not packed: the files of a folder, and entries that no folder can hold. Gives its path. */
export function writeArchive(folder: string, more: readonly ArchiveEntry[] = []): string {
  const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  const files = names.sort().map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const path = `${folder}.tar`;
  writeFileSync(path, Buffer.concat([...[...files, ...more].map(archiveEntry), Buffer.alloc(2 * BLOCK)]));
  process.once("exit", () => rmSync(path, { force: true }));
  return path;
}
