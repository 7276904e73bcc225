import { createHash } from "node:crypto";
import type { Attribute, ContentModel, ContentType, Shape } from "../../schema/model.js";

/** What of a content-type decides whether versions of it fit. */
interface TypeShape {
  readonly hasDrafts: boolean;
  readonly isLocalized: boolean;
  /** Form by attribute: `string`, `manyToMany api::tag.tag`, `component shared.seo`. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The model of an archive: content-types and components by uid. */
export interface ModelShape {
  readonly contentTypes: Readonly<Record<string, TypeShape>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Describes what versions of some content-types are made of. */
export function shapeOf(model: ContentModel, types: readonly ContentType[]): ModelShape {
  const described = types.map((type) => {
    const { uid, hasDrafts, isLocalized } = type;
    return [uid, { hasDrafts, isLocalized, attributes: formsOf(type) }] as const;
  });
  const components = [...model.components.values()].map((component) => [component.uid, formsOf(component)] as const);
  return { contentTypes: Object.fromEntries(described), components: Object.fromEntries(components) };
}

/** sha256 of a model, in hex. */
export const hashOf = (shape: ModelShape): string => createHash("sha256").update(JSON.stringify(shape)).digest("hex");

const formsOf = ({ attributes }: Shape): Readonly<Record<string, string>> =>
  Object.fromEntries([...attributes.values()].map((attribute) => [attribute.name, formOf(attribute)]));

function formOf(attribute: Attribute): string {
  const list = (isList: boolean) => (isList ? " list" : "");
  switch (attribute.kind) {
    case "component":
      return `component ${attribute.component}${list(attribute.repeatable)}`;
    case "dynamiczone":
      return `dynamiczone ${[...attribute.components].sort().join(" ")}`;
    case "media":
      return `media${list(attribute.isMany)}`;
    case "relation":
      return [attribute.relation, attribute.storage, attribute.target].filter(Boolean).join(" ");
    default:
      return attribute.kind;
  }
}

/** Differences that keep versions of an archive from fitting an app; the app may have more types and attributes. */
export function differencesOf(theirs: ModelShape, model: ContentModel): readonly string[] {
  const ours = shapeOf(model, [...model.contentTypes.values()]);
  const types = Object.entries(theirs.contentTypes).flatMap(([uid, { attributes, hasDrafts, isLocalized }]) => {
    const own = ours.contentTypes[uid];
    if (!own) return [`${uid} is not a content-type of this app`];
    const says = (what: string, is: boolean) => `${uid} ${is ? "has" : "lacks"} ${what} here`;
    return [
      ...(own.hasDrafts === hasDrafts ? [] : [says("drafts", own.hasDrafts)]),
      ...(own.isLocalized === isLocalized ? [] : [says("locales", own.isLocalized)]),
      ...formDifferences(uid, attributes, own.attributes),
    ];
  });
  const components = Object.entries(theirs.components).flatMap(([uid, forms]) =>
    formDifferences(uid, forms, ours.components[uid] ?? {}),
  );
  return [...types, ...components];
}

type Forms = Readonly<Record<string, string>>;

const formDifferences = (uid: string, theirs: Forms, ours: Forms): readonly string[] =>
  Object.entries(theirs)
    .filter(([name, form]) => ours[name] !== form)
    .map(([name, form]) => `${uid}.${name} is "${form}" there and ${ours[name] ? `"${ours[name]}"` : "missing"} here`);
