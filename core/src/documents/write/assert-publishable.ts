import { checkPublishable } from "../input/check-publishable.js";
import { assertNoProblems } from "../input/problems.js";
import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { WriteScope } from "./write-scope.js";

/**
 * Holds the versions that are to be published against what their attributes ask for. Where there are several locales,
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
