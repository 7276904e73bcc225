import type { PercentCrop } from "react-image-crop";
import type { CutRequest } from "../../../src/wire/files.js";

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The whole pixels of a picture that a part of it covers: at least one, and none outside. */
export function areaOf(crop: PercentCrop, { width, height }: Size): CutRequest {
  return fitted(
    {
      x: Math.round((crop.x / 100) * width),
      y: Math.round((crop.y / 100) * height),
      width: Math.round((crop.width / 100) * width),
      height: Math.round((crop.height / 100) * height),
    },
    { width, height },
  );
}

/** The part of a picture that pixels are, in percent. What lies outside is moved in. */
export function cropOf(area: CutRequest, size: Size): PercentCrop {
  const { x, y, width, height } = fitted(area, size);
  return {
    unit: "%",
    ...{ x: (x / size.width) * 100, y: (y / size.height) * 100 },
    ...{ width: (width / size.width) * 100, height: (height / size.height) * 100 },
  };
}

/** A value that is not a number, as of an emptied field, is the least that can be. */
function fitted(area: CutRequest, size: Size): CutRequest {
  const x = between(0, area.x, size.width - 1);
  const y = between(0, area.y, size.height - 1);
  return { x, y, width: between(1, area.width, size.width - x), height: between(1, area.height, size.height - y) };
}

const between = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(Number.isFinite(value) ? Math.round(value) : least, most));
