import type { ContentModel } from "../../schema/model.js";
import type { TableLayout } from "../layout/layout.js";
import type { TableMatch } from "./table-match.js";

/** The place of each content-type in the database, old codes kept, by uid. */
export function buildLayouts(matches: readonly TableMatch[], model: ContentModel): ReadonlyMap<string, TableLayout> {
  return new Map(
    matches.map((match) => {
      const { type, table, links } = match.spec;
      return [type.uid, { type, table, links, codes: giveCodes(match, model) }];
    }),
  );
}

/** Renamed attributes keep their code, new ones get the next, and codes of removed ones are not given again. */
function giveCodes({ spec, old, attributes }: TableMatch, model: ContentModel): ReadonlyMap<string, number> {
  const codes = new Map(Object.entries(old?.codes ?? {}));
  let last = Math.max(0, ...codes.values());
  for (const key of spec.linkKeys) {
    const formerKey = attributes.find(({ name }) => name === key)?.oldName ?? formerEmbeddedKey(key, model);
    const former = codes.get(formerKey);
    if (codes.has(key)) continue;
    if (former !== undefined) codes.delete(formerKey);
    codes.set(key, former ?? ++last);
  }
  return codes;
}

/** `shared.link#target` was `shared.link#to` when the component declares the rename. */
function formerEmbeddedKey(key: string, model: ContentModel): string {
  const [uid = "", name = ""] = key.split("#");
  const renamedFrom = model.components.get(uid)?.attributes.get(name)?.renamedFrom;
  return renamedFrom === undefined ? key : `${uid}#${renamedFrom}`;
}
