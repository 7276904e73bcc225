import { parseOptions } from "@plinth/core/options";
import { isScalarKind, type ContentModel, type ContentType, type ScalarAttribute } from "@plinth/core/schema";
import { typeOptions } from "./config.js";
import { InvalidTypeOptionsError } from "./errors.js";

/** A content-type whose writes are noted. */
export interface NotedType {
  readonly type: ContentType;
  /** Attributes whose values are noted. */
  readonly values: readonly string[];
  /** SQL of these values of a document, as jsonb; undefined without any. @param documentId - SQL of its id. */
  valuesSql(documentId: string): string | undefined;
}

/** The content-types whose writes are noted, by uid. */
export type NotedTypes = ReadonlyMap<string, NotedType>;

/**
 * Reads what content-types say of being noted. All are by default but those that archives leave out: sessions, and what
 * somebody has not saved yet.
 *
 * @throws PLINTH_AUDIT_OPTIONS_INVALID (500) with the problems of all types
 */
export function readNotedTypes({ contentTypes }: ContentModel): NotedTypes {
  const problems: string[] = [];
  const noted = new Map<string, NotedType>();
  for (const type of contentTypes.values()) {
    const { part } = (type.options["archive"] ?? {}) as { readonly part?: string };
    const raw = type.pluginOptions["audit"] ?? part !== "none";
    if (raw === false) continue;
    const { value, problems: found } = parseOptions(typeOptions, raw === true ? {} : raw, "");
    const values = value?.values ?? namesIn(raw);
    problems.push(
      ...(found ?? []).map(({ path, message }) => `${[type.uid, path].filter(Boolean).join(" ")} ${message}`),
      ...values.flatMap((name) => problemOf(type, name) ?? []),
    );
    noted.set(type.uid, { type, values, valuesSql: (documentId) => valuesSql(type, values, documentId) });
  }
  if (problems.length > 0) throw new InvalidTypeOptionsError({ problems });
  return noted;
}

/** Of options with another problem: those of its attributes are wanted as well. */
function namesIn(raw: unknown): readonly string[] {
  const { values } = (raw ?? {}) as { readonly values?: unknown };
  return Array.isArray(values) ? values.filter((name) => typeof name === "string") : [];
}

function problemOf({ uid, attributes }: ContentType, name: string): string | undefined {
  const attribute = attributes.get(name);
  if (!attribute) return `${uid} has no attribute "${name}"`;
  if (attribute.kind === "password" || attribute.isPrivate)
    return `${uid} "${name}" is private: its values are not noted`;
  return undefined;
}

/** Before a delete its scalars are still there. */
function valuesSql(
  { table, attributes }: ContentType,
  values: readonly string[],
  documentId: string,
): string | undefined {
  const columns = values.flatMap((name) => {
    const attribute = attributes.get(name);
    return attribute && isScalarKind(attribute.kind)
      ? [`d."${(attribute as ScalarAttribute).column}" as "${name}"`]
      : [];
  });
  if (columns.length === 0) return undefined;
  return `(select to_jsonb(o) from (select ${columns.join(", ")} from "${table}" d where d.document_id = ${documentId} limit 1) o)`;
}
