import { checkPublishable } from "../input/check-publishable.js";
import { assertNoProblems } from "../problems.js";
import { type Version, readVersions, timeText } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { WriteScope } from "./write-scope.js";
import { writeComponentUniques } from "./component-uniques.js";
import type { InversePlan } from "../../database/writes/inverse-plan.js";
import type { WriteAction } from "./row-rules.js";
import { shareWithLocales } from "./locales.js";
import { releasePreviousOwner } from "./release-previous-owner.js";
import type { Target } from "./link-list.js";

/**
 * Makes the other version of a row equal to it: publishes a draft, or discards a draft for the published row.
 * The other row keeps its id and is made when it is missing. It takes a few statements, for any amount of content.
 *
 * @param versions - all versions of the document.
 */
export async function copyVersion(
  scope: WriteScope,
  plan: WritePlan,
  from: Version,
  versions: readonly Version[],
): Promise<Version> {
  const values = [from.documentId, from.locale, from.isDraft, await prepareCopy(scope, plan, from)];
  const [to] = (await readVersions(scope.db, { text: plan.sql.copy, values })) as [Version];
  await copyInverses(scope, plan, to);
  await shareWithLocales(scope, plan, to, versions);
  if (!to.isDraft) await writeComponentUniques(scope, plan, to);
  return to;
}

/**
 * Publishes a row that was just written: by one statement with what wrote it, where nothing but that row and its links
 * changes and its id is not needed.
 *
 * @param actions - whose rules hold.
 * @returns the published row where it is known already.
 */
export async function publishRow(
  scope: WriteScope,
  plan: WritePlan,
  from: Version,
  { versions, actions }: { readonly versions: readonly Version[]; readonly actions: readonly WriteAction[] },
): Promise<readonly Version[]> {
  assertPublishable(scope, plan, [from]);
  if (!isCopiedAlone(plan, from, versions) || scope.rules.isLimited(plan.type.uid, actions))
    return [await copyVersion(scope, plan, from, versions)];
  const publishedAt = await prepareCopy(scope, plan, from);
  const to = versions.find(({ isDraft, locale }) => !isDraft && locale === from.locale);
  scope.unit.copy(plan, { from, to, publishedAt });
  return [];
}

/** What comes before the statement that copies a row and its links. @returns the copy's time of publication, null for a draft */
async function prepareCopy(scope: WriteScope, plan: WritePlan, from: Version): Promise<string | null> {
  const isDraft = !from.isDraft;
  await takeTargets(scope, plan, from, isDraft);
  if (!isDraft) scope.attempts.push({ plan, ...from, generated: scope.generated });
  return isDraft ? null : timeText(scope.now);
}

/** Whether copying a version changes that one row and its links, and nothing else. @param versions - all of the document. */
function isCopiedAlone(plan: WritePlan, from: Version, versions: readonly Version[]): boolean {
  const { hasComponentUniques, sql } = plan;
  const isShared = plan.isShared && versions.some(({ locale }) => locale !== from.locale);
  return sql.lockOwners === undefined && !hasComponentUniques && !isShared;
}

async function takeTargets(scope: WriteScope, plan: WritePlan, from: Version, isDraft: boolean): Promise<void> {
  for (const exclusive of plan.exclusives) {
    const held = from.content[exclusive.attribute.name] as Target | null;
    if (held) await releasePreviousOwner(scope, plan, exclusive, { ...from, isDraft, target: held.documentId });
  }
}

/**
 * Links to this document that other documents hold belong to both versions too: the owners' other version gets what
 * this version shows. A concurrent write of one of these owners comes before or after, as a whole.
 */
async function copyInverses(scope: WriteScope, plan: WritePlan, to: Version): Promise<void> {
  const { db } = scope;
  const values = [to.documentId, to.locale];
  const { lockOwners } = plan.sql;
  if (lockOwners === undefined) return;
  await db.query({ text: lockOwners, values, isPlan: true });
  for (const inverse of plan.inverses.values()) {
    const { sql } = inverse;
    const reached = sql.lockDifferent === undefined ? null : await reachedOwners(scope, inverse, to);
    for (const text of to.isDraft ? sql.discard : sql.publish)
      await db.query({ text, values: [...values, reached], isPlan: true });
  }
}

/**
 * Which owners' rows the actor may change; null: all. Those of others stay as they are until they are published
 * themselves, but of a one-to-one: there one row's link is taken for another's.
 *
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for owners in a one-to-one that the actor may not change
 */
async function reachedOwners(
  { db, rules }: WriteScope,
  { owner, owning, sql }: InversePlan,
  to: Version,
): Promise<readonly string[] | null> {
  const actions = rules.asked(owner, "update", !to.isDraft);
  if (!rules.isLimited(owner.uid, actions)) return null;
  const text = sql.lockDifferent ?? "";
  const rows = await db.query<{ id: unknown }>({ text, values: [to.documentId, to.locale], isPlan: true });
  let reached = rows.map(({ id }) => String(id));
  if (owning.isExclusive) await rules.assertReached(owner.uid, actions, reached);
  for (const action of actions) reached = [...(await rules.reached(owner.uid, action, reached))];
  return reached;
}

/**
 * Checks the versions that are to be published by the rules of their attributes. Where there are several locales,
 * problems say which one they are in.
 *
 * @throws PLINTH_INPUT_INVALID (400) with all rules that the rows do not keep
 */
export function assertPublishable({ layout }: WriteScope, { type }: WritePlan, rows: readonly Version[]): void {
  const problems = rows.flatMap(({ content, locale }) =>
    checkPublishable(layout.model, type, content).map((problem) =>
      rows.length > 1 ? { ...problem, locale } : problem,
    ),
  );
  assertNoProblems(problems);
}
