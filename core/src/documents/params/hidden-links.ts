import { componentsIn, isRelation } from "../../database/layout/layout.js";
import type { Attribute, ContentModel, ContentType } from "../../schema/model.js";
import { isReadable } from "./parse-context.js";

/**
 * Of the attributes of a type that link to something, those that a caller does not see: by their names, inside of
 * components with their uid before it, `shared.seo#ogImage`. A caller that sees the links to a document does not see
 * what links to it by these alone.
 *
 * @param type - as the model has it.
 * @param shape - the type as far as a rule lets the reader see it.
 */
export function hiddenLinks(
  model: ContentModel,
  type: ContentType,
  shape: ContentType,
  withPrivate: boolean,
): readonly string[] {
  if (withPrivate && shape === type) return [];
  const kept = withPrivate ? undefined : known.get(shape);
  if (kept) return kept;
  const seen = new Set(linksOf(model, shape, (attribute) => isReadable(attribute, withPrivate)));
  const hidden = linksOf(model, type, () => true).filter((link) => !seen.has(link));
  if (!withPrivate) known.set(shape, hidden);
  return hidden;
}

/** For views without private attributes; each shape is computed once. */
const known = new WeakMap<ContentType, readonly string[]>();

type Test = (attribute: Attribute) => boolean;

function linksOf(model: ContentModel, type: ContentType, isSeen: Test): readonly string[] {
  const only = <Holder extends Pick<ContentType, "attributes">>(holder: Holder): Holder => ({
    ...holder,
    attributes: new Map([...holder.attributes].filter(([, attribute]) => isSeen(attribute))),
  });
  const components = new Map([...model.components].map(([uid, component]) => [uid, only(component)]));
  const shown = only(type);
  const embedded = [...componentsIn({ ...model, components }, shown)].flatMap(({ uid, attributes }) =>
    [...attributes.values()].filter(isRelation).map(({ name }) => `${uid}#${name}`),
  );
  return [...[...shown.attributes.values()].filter(isRelation).map(({ name }) => name), ...embedded];
}
