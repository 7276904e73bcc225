import type { Filter, PublicationFilter } from "./query.js";
import { compileVisible } from "./compile-filter.js";
import { type Compilation, type Scope, tableScope } from "./relation-join.js";
import { readTable } from "../sql/sql.js";

/**
 * The condition of a publication filter on a row of the status asked for. The plain forms compare the versions of one
 * locale, the `-document` forms those of the whole document.
 *
 * @param visible - the condition for other versions to count.
 * @source plugins/content-api/WIRE.md#publication-filters
 */
export function compilePublication(
  compilation: Compilation,
  { holder: { type, alias } }: Scope,
  filter: PublicationFilter,
  visible: Filter | undefined,
): string {
  if (!type.hasDrafts) return "true";
  const { status } = compilation;
  const table = readTable(type.table);
  const other = (version: "draft" | "published", locale: "same" | "any", more = "") => {
    const where = `o.document_id = ${alias}.document_id and o.published_at is ${version === "draft" ? "null" : "not null"}`;
    const known = compileVisible(compilation, tableScope(compilation, type, "o", version), visible);
    const rule = known === "true" ? "" : ` and ${known}`;
    return `exists (select from ${table} o where ${where}${locale === "same" ? ` and o.locale = ${alias}.locale` : ""}${more}${rule})`;
  };
  // The counterpart of the current row; updated later on the draft's side means modified.
  const counterpart = status === "draft" ? "published" : "draft";
  const modified = status === "draft" ? `o.updated_at < ${alias}.updated_at` : `o.updated_at > ${alias}.updated_at`;
  switch (filter) {
    case "never-published":
      return `not ${other("published", "same")}`;
    case "has-published-version":
      return other("published", "same");
    case "never-published-document":
      return `not ${other("published", "any")}`;
    case "has-published-version-document":
      return other("published", "any");
    case "modified":
      return other(counterpart, "same", ` and ${modified}`);
    case "unmodified":
      return other(counterpart, "same", ` and not (${modified})`);
    case "published-with-draft":
      return status === "draft" ? "false" : other("draft", "same");
    case "published-without-draft":
      return status === "draft" ? "false" : `not ${other("draft", "same")}`;
  }
}
