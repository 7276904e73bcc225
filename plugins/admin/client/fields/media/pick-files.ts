/** What the browser's own picker offers. */
export interface PickOptions {
  /** As `accept` of an input; "": everything. */
  readonly accept: string;
  readonly isMultiple: boolean;
}

/** Opens the browser's own picker. */
export function pickFiles({ accept, isMultiple }: PickOptions, onPick: (files: readonly File[]) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = accept;
  input.multiple = isMultiple;
  input.addEventListener("change", () => onPick([...(input.files ?? [])]));
  input.click();
}

const ACCEPTED: Readonly<Record<string, string>> = { images: "image/*", videos: "video/*", audios: "audio/*" };

/** `accept` for groups of files; everything where one of them is any file. */
export const acceptOf = (types: readonly string[]): string =>
  types.length > 0 && types.every((type) => ACCEPTED[type]) ? types.map((type) => ACCEPTED[type]).join(",") : "";
