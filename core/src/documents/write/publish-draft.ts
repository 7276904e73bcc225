import { checkPublishable } from "../input/check-publishable.js";
import { assertNoProblems } from "../input/problems.js";
import { copyVersion } from "./copy-version.js";
import type { Version } from "./version.js";
import type { WritePlan } from "./write-plan.js";
import type { WriteScope } from "./write-scope.js";

/**
 * Publishes a draft: the published row becomes equal to it and keeps its id.
 *
 * @param versions - all versions of the document.
 * @throws PLINTH_INPUT_INVALID (400) with all that keeps the draft from being published
 */
export async function publishDraft(
  scope: WriteScope,
  plan: WritePlan,
  draft: Version,
  versions: readonly Version[],
): Promise<Version> {
  assertPublishable(scope, plan, draft);
  return await copyVersion(scope, plan, draft, versions);
}

/** @throws PLINTH_INPUT_INVALID (400) with all rules that a row does not keep */
export function assertPublishable({ layout }: WriteScope, { type }: WritePlan, row: Version): void {
  assertNoProblems(checkPublishable(layout.model, type, row.content));
}
