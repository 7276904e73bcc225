import { below, type Path } from "./paths.js";
import { itemsIn, type Leaves } from "./shape.js";

/**
 * The path in another version of a document that stands where a path of this one does. Items have ids of their own in each
 * language: they are matched by their places, where they are of the same component.
 *
 * @returns undefined where the other version has no such item
 */
export function counterpartOf(mine: Leaves, other: Leaves, path: Path): Path | undefined {
  let place = "";
  let there = "";
  for (const step of path.split(".")) {
    const items = itemsIn(mine, place);
    const index = items.findIndex(({ key }) => key === step);
    const found = itemsIn(other, there)[index];
    if (index >= 0 && found?.component !== items[index]?.component) return undefined;
    place = below(place, step);
    there = below(there, index >= 0 && found ? found.key : step);
  }
  return there;
}
