import { isScalarKind } from "../../schema/attribute.js";
import type { ContentType, ScalarAttribute } from "../../schema/model.js";
import { generateUid } from "../input/generate-uid.js";
import type { WriteInput } from "../input.js";
import type { Version } from "../../database/writes/version.js";

/**
 * What a write that starts a locale says about the new row: its body, and the defaults and uids of the attributes that the
 * locale has for itself and the body leaves out.
 *
 * @param model - the version whose shared attributes the locale starts with.
 */
export function startLocale(type: ContentType, input: WriteInput, model: Version): WriteInput {
  const own = [...type.attributes.values()].filter(
    (attribute): attribute is ScalarAttribute => isScalarKind(attribute.kind) && attribute.isLocalized,
  );
  const defaults = own.flatMap(({ name, defaultValue }) =>
    defaultValue === undefined ? [] : [[name, defaultValue] as const],
  );
  const scalars = new Map<string, unknown>([...defaults, ...input.scalars]);
  const generated = new Set<string>();
  const isOwn = (name: string) => scalars.has(name) || type.attributes.get(name)?.isLocalized;
  const textOf = (name: string) => (isOwn(name) ? scalars.get(name) : model.content[name]);
  for (const attribute of own) {
    const uid = scalars.has(attribute.name) ? undefined : generateUid(attribute, type, textOf);
    if (uid === undefined) continue;
    scalars.set(attribute.name, uid);
    generated.add(attribute.name);
  }
  return { ...input, scalars, generated };
}
