import * as v from "@plinth/core/valibot";
import { componentUids, isRelation } from "../../database/layout/layout.js";
import type { LoadedVersion } from "../../documents/load/loaded-version.js";
import type { Attribute, ContentModel, Shape } from "../../schema/model.js";

const time = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text)), "has to be a time in ISO 8601"),
);
const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const link = v.object({
  documentId: v.string(),
  type: v.string(),
  position: v.number(),
  inversePosition: v.optional(v.number()),
});
const versionSchema = v.object({
  id,
  documentId: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)),
  locale: v.string(),
  publishedAt: v.nullable(time),
  createdAt: time,
  updatedAt: time,
  createdBy: v.optional(v.nullable(v.string())),
  updatedBy: v.optional(v.nullable(v.string())),
  values: v.record(v.string(), v.unknown()),
  links: v.record(v.string(), v.array(link)),
});

/** What a look at a line of an archive says. */
export interface VersionVerdict {
  /** Why it is no version of its type; undefined for one that is. */
  readonly reason: string | undefined;
  readonly highestComponent: number;
}

/** Checks what a line says against the model of the app. Values themselves are what the database takes. */
export function checkVersion(model: ContentModel, uid: string, version: LoadedVersion): VersionVerdict {
  const wrong = (reason: string): VersionVerdict => ({ reason, highestComponent: 0 });
  const type = model.contentTypes.get(uid);
  if (!type) return wrong(`is of the content-type "${uid}", which this app has not`);
  const { success, issues } = v.safeParse(versionSchema, version);
  if (!success) return wrong(`is no version: ${v.getDotPath(issues[0]) ?? ""} ${issues[0].message}`);
  const unknown = unknownName(type, version);
  if (unknown !== undefined) return wrong(`has "${unknown}", which is no such attribute of ${uid} here`);
  return { reason: undefined, highestComponent: highestId(model, type, version.values) };
}

function unknownName({ attributes }: Shape, { values, links }: LoadedVersion): string | undefined {
  const isWrong = (name: string, isLink: boolean) => {
    const attribute = attributes.get(name);
    return attribute === undefined || isRelation(attribute) !== isLink;
  };
  return (
    Object.keys(values).find((name) => isWrong(name, false)) ?? Object.keys(links).find((name) => isWrong(name, true))
  );
}

/** The highest id of the components that a shape holds, at any depth; 0 without any. */
function highestId(model: ContentModel, { attributes }: Shape, values: Readonly<Record<string, unknown>>): number {
  let highest = 0;
  for (const attribute of attributes.values())
    for (const item of itemsOf(attribute, values)) {
      const uid = String(item["__component"] ?? componentUids(attribute)[0]);
      const component = model.components.get(uid);
      highest = Math.max(highest, Number(item["id"]) || 0, component ? highestId(model, component, item) : 0);
    }
  return highest;
}

function itemsOf(
  attribute: Attribute,
  values: Readonly<Record<string, unknown>>,
): readonly Readonly<Record<string, unknown>>[] {
  if (componentUids(attribute).length === 0) return [];
  const items = [values[attribute.name]].flat();
  return items.filter((item) => typeof item === "object" && item !== null) as Readonly<Record<string, unknown>>[];
}
