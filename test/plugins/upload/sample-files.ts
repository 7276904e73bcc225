import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import type { ReceivedFile } from "@plinth/plugin-upload";

/** A picture of noise, so that it compresses as photographs do; of one colour when that is given, and quickly made. */
export function makeImage(
  width: number,
  height: number,
  format: "jpeg" | "png" | "webp" | "avif" | "gif" | "tiff" = "jpeg",
  colour?: string,
): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const background = colour ?? "#808080";
  const create = { width, height, channels: 3, background, ...(colour === undefined ? { noise } : {}) } as const;
  return sharp({ create }).toFormat(format).toBuffer();
}

/** An animation of frames in different colours. */
export async function makeAnimation(
  width: number,
  height: number,
  frames: number,
  format: "gif" | "webp",
): Promise<Buffer> {
  const colours = Array.from({ length: frames }, (_, index) => ({
    r: (index * 37) % 256,
    g: (index * 91) % 256,
    b: 90,
  }));
  const pictures = await Promise.all(
    colours.map((background) =>
      sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(pictures, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/**
 * A PNG whose header promises pixels, and that holds next to none: as small as a decompression bomb is before it is
 * decoded.
 */
export async function makeBomb(width: number, height: number): Promise<Buffer> {
  const png = await sharp({ create: { width: 1, height: 1, channels: 3, background: "#000" } })
    .png()
    .toBuffer();
  const header = png.subarray(12, 29);
  header.writeUInt32BE(width, 4);
  header.writeUInt32BE(height, 8);
  png.writeUInt32BE(crc32(header), 29);
  return png;
}

/** @source https://www.w3.org/TR/png-3/#D-CRCAppendix */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** An empty ZIP: what a ZIP ends with. */
export const EMPTY_ZIP = Buffer.from("504b0506000000000000000000000000000000000000", "hex");

/** A directory for the files of one test. */
export class SampleDirectory {
  #path: Promise<string> | undefined;
  #count = 0;

  /** Writes a file as if a client had sent it under a name. */
  async receive(name: string, content: Buffer | string): Promise<ReceivedFile> {
    this.#path ??= mkdtemp(join(tmpdir(), "upload-test-"));
    this.#count += 1;
    const path = join(await this.#path, String(this.#count));
    await writeFile(path, content);
    return { path, name, size: Buffer.byteLength(content) };
  }

  async remove(): Promise<void> {
    if (this.#path) await rm(await this.#path, { recursive: true });
    this.#path = undefined;
  }
}
