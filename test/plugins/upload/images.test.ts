import { stat } from "node:fs/promises";
import { isPlinthError } from "@plinth/core";
import { expect } from "chai";
import sharp from "sharp";
import { parseConfig } from "#plugins/upload/src/config.js";
import type { Inspected } from "@plinth/plugin-upload";
import { createInspector } from "#plugins/upload/src/inspect/inspector-service.js";
import { makeAnimation, makeBomb, makeImage, SampleDirectory } from "./sample-files.js";

const directory = new SampleDirectory();

async function inspect(name: string, content: Buffer, images: object = {}): Promise<Inspected> {
  return createInspector(parseConfig({ images })).inspect(await directory.receive(name, content));
}

async function codeOf(name: string, content: Buffer, images?: object): Promise<string> {
  try {
    await inspect(name, content, images);
  } catch (error) {
    if (isPlinthError(error)) return error.code;
    throw error;
  }
  return "taken";
}

/** Formats as `name widthxheight`. */
const formatsOf = ({ variants }: Inspected) => variants.map(({ name, width, height }) => `${name} ${width}x${height}`);

/** Sides that are not divided without a remainder, from twice to twelve times the smallest formats. */
const ODD_SIZES = [
  [1034, 691],
  [2753, 1719],
  [847, 1866],
  [1158, 2531],
  [1601, 1067],
  [2167, 27],
] as const;

describe("Images", () => {
  after(() => directory.remove());

  for (const format of ["jpeg", "png", "webp", "avif", "tiff"] as const) {
    it(`${format} gets the formats that are smaller than it`, async () => {
      const found = await inspect(`a.${format}`, await makeImage(1200, 600, format, "#4080c0"));
      expect(found).to.include({ width: 1200, height: 600, isImage: true, isAnimated: false });
      expect(formatsOf(found)).to.deep.equal([
        "thumbnail 245x123",
        "large 1000x500",
        "medium 750x375",
        "small 500x250",
      ]);
      for (const { path, size, width, height } of found.variants) {
        expect(await sharp(path).metadata()).to.include({ width, height, format: SAVED_AS[format] });
        expect((await stat(path)).size).to.equal(size);
      }
    });
  }

  it("have formats of the size that one resize of the whole image gives", async () => {
    const boxes = { thumbnail: [245, 156], large: [1000, 1000], medium: [750, 750], small: [500, 500] } as const;
    for (const format of ["jpeg", "png"] as const)
      for (const [width, height] of ODD_SIZES) {
        const content = await makeImage(width, height, format, "#4080c0");
        const resized = Object.entries(boxes).map(async ([name, [boxWidth, boxHeight]]) => {
          const resize = sharp(content).resize(boxWidth, boxHeight, { fit: "inside" });
          const { info } = await resize.toBuffer({ resolveWithObject: true });
          return `${name} ${info.width}x${info.height}`;
        });
        const found = formatsOf(await inspect(`a.${format}`, content));
        expect(found, `${format} ${width}x${height}`).to.deep.equal(await Promise.all(resized));
      }
  });

  it("get only formats that are smaller: none for a small one, a thumbnail for a flat one", async () => {
    expect(formatsOf(await inspect("a.png", await makeImage(245, 156, "png")))).to.deep.equal([]);
    expect(formatsOf(await inspect("a.png", await makeImage(100, 200, "png")))).to.deep.equal(["thumbnail 78x156"]);
    expect(formatsOf(await inspect("a.png", await makeImage(500, 20, "png")))).to.deep.equal(["thumbnail 245x10"]);
  });

  it("get the formats of the configuration", async () => {
    const found = await inspect("a.jpg", await makeImage(700, 500), { breakpoints: { tiny: 64, huge: 2000 } });
    expect(formatsOf(found)).to.deep.equal(["thumbnail 218x156", "tiny 64x46"]);
  });

  it("are as high and wide as they are seen, however the camera was held", async () => {
    const turned = await sharp(await makeImage(600, 300))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const found = await inspect("a.jpg", turned);
    expect(found).to.include({ width: 300, height: 600 });
    expect(formatsOf(found)).to.deep.equal(["thumbnail 78x156", "small 250x500"]);
  });

  for (const format of ["gif", "webp"] as const) {
    it(`that move go on moving: ${format}`, async () => {
      const found = await inspect(`a.${format}`, await makeAnimation(300, 200, 5, format));
      expect(found).to.include({ width: 300, height: 200, isAnimated: true });
      expect(formatsOf(found)).to.deep.equal(["thumbnail 234x156"]);
      expect((await sharp(found.variants[0]?.path, { animated: true }).metadata()).pages).to.equal(5);
    });
  }

  it("lose what the camera wrote when the configuration says so, and stay upright", async () => {
    const exif = { IFD0: { Copyright: "Somebody", Make: "A camera" } };
    const source = await sharp(await makeImage(60, 30))
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const kept = await inspect("a.jpg", source);
    expect((await sharp(kept.path).metadata()).exif).to.be.instanceOf(Buffer);
    const stripped = await inspect("a.jpg", source, { stripMetadata: true });
    const header = await sharp(stripped.path).metadata();
    expect(header).to.include({ width: 30, height: 60 });
    expect(header.exif).to.equal(undefined);
    expect((await stat(stripped.path)).size).to.equal(stripped.size);
  });

  it("formats never carry what the camera wrote", async () => {
    const exif = { IFD0: { Copyright: "Somebody" } };
    const found = await inspect(
      "a.jpg",
      await sharp(await makeImage(600, 300))
        .withExif(exif)
        .toBuffer(),
    );
    for (const { path } of found.variants) expect((await sharp(path).metadata()).exif).to.equal(undefined);
  });

  it("of more pixels than the limit are refused by their header", async () => {
    const started = process.memoryUsage().rss;
    expect(await codeOf("bomb.png", await makeBomb(60_000, 60_000))).to.equal("PLINTH_UPLOAD_IMAGE_TOO_LARGE");
    expect(process.memoryUsage().rss - started).to.be.below(50 * 1024 ** 2);
    expect(await codeOf("a.png", await makeImage(30, 40, "png"), { maxPixels: 1199 })).to.match(/TOO_LARGE$/);
    expect(await codeOf("a.png", await makeImage(30, 40, "png"), { maxPixels: 1200 })).to.equal("taken");
  });

  it("count the pixels of all their frames", async () => {
    const animation = await makeAnimation(100, 100, 12, "gif");
    expect(await codeOf("a.gif", animation, { maxPixels: 119_999 })).to.equal("PLINTH_UPLOAD_IMAGE_TOO_LARGE");
    expect(await codeOf("a.gif", animation, { maxPixels: 120_000 })).to.equal("taken");
  });

  it("that end too early, or hold nothing, are refused", async () => {
    for (const format of ["jpeg", "png", "webp", "gif"] as const) {
      const image = await makeImage(100, 100, format);
      const cut = image.subarray(0, Math.floor(image.length / 2));
      expect(await codeOf(`a.${format}`, cut), format).to.equal("PLINTH_UPLOAD_IMAGE_BROKEN");
    }
    const header = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    expect(await codeOf("a.png", Buffer.concat([header, Buffer.alloc(100)]))).to.equal("PLINTH_UPLOAD_IMAGE_BROKEN");
    expect(await codeOf("bomb.png", await makeBomb(50, 50))).to.equal("PLINTH_UPLOAD_IMAGE_BROKEN");
  });

  it("options that cannot be are told at start", () => {
    const wrong = [
      7,
      { breakpoints: { thumbnail: 5 } },
      { breakpoints: { a: 0 } },
      { maxPixels: "all" },
      { quality: 1 },
    ];
    for (const images of [...wrong, { stripMetadata: "yes" }]) {
      expect(() => parseConfig({ images }))
        .to.throw("images")
        .with.property("code", "PLINTH_UPLOAD_CONFIG_INVALID");
    }
  });
});

const SAVED_AS = { jpeg: "jpeg", png: "png", webp: "webp", avif: "webp", tiff: "jpeg" } as const;
