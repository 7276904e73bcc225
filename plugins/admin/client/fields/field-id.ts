import type { Path } from "../form/paths.js";

/** Id of the input at a path, by which a list of problems leads to it. */
export const idOf = (path: Path): string => `field-${path.replaceAll(".", "-")}`;
