import { isRelation, linkCode, positionColumn, typeColumn } from "../../database/layout/layout.js";
import { isScalarKind } from "../../schema/attribute.js";
import type { ContentModel, RelationAttribute, ScalarAttribute } from "../../schema/model.js";
import { embeddedLinks } from "../write/embedded-links.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { LoadedVersion } from "./loaded-version.js";

/** A row of a link table. */
export interface LinkRow {
  readonly source: string;
  readonly attribute: number;
  readonly target: string;
  readonly target_type: string;
  readonly position: number;
  readonly inverse_position: number | null;
}

/** What tells one version of a content-type from another. */
export const keyOf = ({ documentId, locale, publishedAt }: LoadedVersion): string =>
  `${documentId} ${locale} ${publishedAt === null}`;

/** The parameter of statements that look for versions. */
export const askedKeys = (versions: readonly LoadedVersion[]): string =>
  JSON.stringify(
    versions.map(({ documentId, locale, publishedAt }) => ({
      document_id: documentId,
      locale,
      is_draft: publishedAt === null,
    })),
  );

/** A version as a row by column; missing values are null, lists of components are empty. */
export function rowOf({ type, components }: WritePlan, version: LoadedVersion): Readonly<Record<string, unknown>> {
  const row: Record<string, unknown> = {
    document_id: version.documentId,
    locale: version.locale,
    published_at: version.publishedAt,
    created_at: version.createdAt,
    updated_at: version.updatedAt,
  };
  for (const attribute of type.attributes.values()) {
    const value = version.values[attribute.name] ?? null;
    if (isScalarKind(attribute.kind)) row[(attribute as ScalarAttribute).column] = value;
    else if (isRelation(attribute)) Object.assign(row, toOneColumns(attribute, version));
  }
  for (const attribute of components) {
    const isList = attribute.kind === "dynamiczone" || attribute.repeatable;
    row[attribute.column] = version.values[attribute.name] ?? (isList ? [] : null);
  }
  return row;
}

function toOneColumns(attribute: RelationAttribute, { links }: LoadedVersion): Readonly<Record<string, unknown>> {
  const [link] = links[attribute.name] ?? [];
  if (attribute.storage !== "column" || attribute.column === undefined || !link) return {};
  return Object.fromEntries([
    [attribute.column, link.documentId],
    ...typeColumn(attribute).map((column) => [column, link.type]),
    ...positionColumn(attribute).map((column) => [column, link.inversePosition ?? link.position]),
  ]);
}

/** The link rows of a version: those of its relations, and those derived from its components. */
export function linkRowsOf(
  model: ContentModel,
  { type, table, components }: WritePlan,
  version: LoadedVersion,
  source: string,
): readonly LinkRow[] {
  const own = [...type.attributes.values()].filter(
    (attribute) => isRelation(attribute) && attribute.storage === "links",
  );
  const ofRelations = own.flatMap(({ name }) =>
    (version.links[name] ?? []).map((link) => ({
      source,
      attribute: linkCode(table, name),
      target: link.documentId,
      target_type: link.type,
      position: link.position,
      inverse_position: link.inversePosition ?? null,
    })),
  );
  const ofComponents = components.flatMap((attribute) =>
    embeddedLinks(model, attribute, version.values[attribute.name]).map(({ key, documentId, type: target_type }) => ({
      source,
      attribute: linkCode(table, key),
      target: documentId,
      target_type,
      position: 0,
      inverse_position: null,
    })),
  );
  return [...ofRelations, ...ofComponents];
}
