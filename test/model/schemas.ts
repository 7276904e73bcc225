import type { AppDefinition } from "@plinth/core";
import { BOX_RELATIONS, endsOf, TYPE_NAMES, type Relation, type TypeName, type World } from "./world.js";

export const uidOf = (type: TypeName): string => `api::${type}.${type}`;

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };

/** The schema files of a world: `title` and `box` are per locale, `code` and `shelf` are shared by all locales. */
export function schemasOf(world: World): AppDefinition {
  const types = TYPE_NAMES.map((name) => [uidOf(name), contentType(world, name)] as const);
  return {
    contentTypes: Object.fromEntries(types),
    components: { "part.box": { uid: "part.box", attributes: boxAttributes() } },
  } as AppDefinition;
}

function contentType(world: World, name: TypeName): object {
  const { hasDrafts, isLocalized } = world[name];
  const local = isLocalized ? LOCALIZED : {};
  return {
    uid: uidOf(name),
    info: { singularName: name, pluralName: `${name}s` },
    options: { draftAndPublish: hasDrafts },
    ...local,
    attributes: {
      title: { type: "string", required: name === "article", ...local },
      code: { type: "string" },
      box: { type: "component", component: "part.box", ...local },
      shelf: { type: "component", component: "part.box", repeatable: true },
      ...Object.fromEntries(endsOf(name).map((end) => [end.name, attribute(end.relation, end.isInverse)])),
    },
  };
}

function attribute(relation: Relation, isInverse: boolean): object {
  const { owner, target, name, other, isMany, isExclusive } = relation;
  const kept = isMany ? (other ? "manyToMany" : "oneToMany") : isExclusive ? "oneToOne" : "manyToOne";
  const mirrored = { manyToMany: "manyToMany", manyToOne: "oneToMany", oneToOne: "oneToOne", oneToMany: "" }[kept];
  return isInverse
    ? { type: "relation", relation: mirrored, target: uidOf(owner), mappedBy: name }
    : { type: "relation", relation: kept, target: uidOf(target), ...(other ? { inversedBy: other } : {}) };
}

function boxAttributes(): object {
  return {
    label: { type: "string" },
    topics: { type: "relation", relation: "oneToMany", target: uidOf(BOX_RELATIONS.topics) },
    author: { type: "relation", relation: "oneToOne", target: uidOf(BOX_RELATIONS.author) },
    article: { type: "relation", relation: "oneToOne", target: uidOf(BOX_RELATIONS.article) },
  };
}
