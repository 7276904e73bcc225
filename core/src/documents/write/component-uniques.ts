import { CLAIM_COMPONENT_UNIQUES, CLEAR_COMPONENT_UNIQUES } from "../../database/writes/component-sql.js";
import { NotUniqueError } from "../errors.js";
import { listProblems } from "../list-problems.js";
import { type UniqueValue, uniqueValues } from "./component-unique-values.js";
import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { WriteScope } from "./write-scope.js";

/**
 * Claims the unique values in the components of a published row; the table's unique index decides, across processes.
 *
 * @throws PLINTH_DOCUMENT_NOT_UNIQUE (400) with all values that are taken or that the row has twice
 * @source plugins/content-api/WIRE.md#unique-values
 */
export async function writeComponentUniques(scope: WriteScope, plan: WritePlan, row: Version): Promise<void> {
  if (!plan.hasComponentUniques) return;
  const { uid } = plan.type;
  const values = plan.components.flatMap((attribute) =>
    uniqueValues(scope.layout.model, attribute, row.content[attribute.name]),
  );
  const isTwice = (value: UniqueValue) => values.some((other) => other !== value && keyOf(other) === keyOf(value));
  assertFree(values.filter(isTwice));
  await clearComponentUniques(scope, plan, row.documentId, [row.locale]);
  if (values.length === 0) return;
  const claims = JSON.stringify(values.map(({ attribute, hash }) => ({ path: attribute, hash })));
  const rows = await scope.db.query<{ key: string }>({
    text: CLAIM_COMPONENT_UNIQUES,
    values: [uid, row.documentId, row.locale, claims],
    isPlan: true,
  });
  const claimed = new Set(rows.map(({ key }) => key));
  assertFree(values.filter((value) => !claimed.has(keyOf(value))));
}

/** Gives the values of a document's published rows up. */
export async function clearComponentUniques(
  scope: WriteScope,
  plan: WritePlan,
  documentId: string,
  locales: readonly string[],
): Promise<void> {
  if (plan.hasComponentUniques)
    await scope.db.query({ text: CLEAR_COMPONENT_UNIQUES, values: [plan.type.uid, documentId, locales], isPlan: true });
}

function assertFree(taken: readonly UniqueValue[]): void {
  const errors = taken.map(({ path, value }) => ({
    path,
    message: "This attribute must be unique",
    name: "ValidationError" as const,
    value,
  }));
  if (errors.length > 0) throw new NotUniqueError(listProblems(errors));
}

const keyOf = ({ attribute, hash }: UniqueValue): string => `${attribute} ${hash}`;
