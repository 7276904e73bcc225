/** Plans the deletion of link rows whose components a change of the content model takes away. */
import type { ContentModel } from "../../schema/model.js";
import type { TableLayout } from "../layout/layout.js";
import { holdsComponents } from "../layout/table-spec.js";
import { identifier } from "../sql/sql.js";
import { heldLinksOf } from "../layout/held-links.js";
import type { SyncStep } from "./step.js";
import { isWrapped, type TableMatch } from "./table-match.js";

/**
 * The step for one table, where components are removed, replaced or given to other locales. A link row says component and
 * attribute, not where the component stands, so the content that is left decides which rows go.
 *
 * @param content - the other steps that rewrite the content of the tables.
 */
export function planSurplusLinks(
  match: TableMatch,
  layout: TableLayout | undefined,
  { content, model }: { readonly content: readonly SyncStep[]; readonly model: ContentModel },
): readonly SyncStep[] {
  if (layout?.links === undefined || !match.columns || match.old?.links === undefined) return [];
  const causes = causesOf(match, content);
  const codes = [...layout.codes].flatMap(([key, code]) => (key.includes("#") ? [code] : []));
  if (causes.length === 0 || codes.length === 0) return [];
  const links = heldLinksOf(model, layout);
  const all = `delete from ${identifier(layout.links)} where attribute in (${codes.join(", ")})`;
  return [
    {
      kind: "delete surplus links",
      table: layout.links,
      sql: [links?.delete({ codes }) ?? all],
      undo: [],
      isDestructive: false,
      ...(causes.every(({ isRemoval }) => isRemoval) ? { isRemoval: true as const } : {}),
      why: "components that held links are removed, replaced or given to other locales",
    },
  ];
}

/** A reason for the step. */
interface Cause {
  /** See `SyncStep`. */
  readonly isRemoval: boolean;
}

function causesOf({ spec, removed, attributes }: TableMatch, content: readonly SyncStep[]): readonly Cause[] {
  const holders = new Set(attributes.filter(({ form }) => holdsComponents(form.form)).map(({ name }) => name));
  const rewritten = content.filter(
    ({ kind, table, column }) =>
      table === spec.table &&
      (kind === "rewrite components" || (kind === "share attribute" && holders.has(column ?? ""))),
  );
  const replaced = attributes.filter(
    (attribute) =>
      attribute.old !== undefined &&
      holdsComponents(attribute.old.form) &&
      attribute.old.form !== attribute.form.form &&
      !isWrapped(attribute),
  );
  return [
    ...removed.filter(({ old }) => holdsComponents(old.form)).map(() => ({ isRemoval: true })),
    ...rewritten.map(({ isRemoval = false }) => ({ isRemoval })),
    ...replaced.map(() => ({ isRemoval: false })),
  ];
}
