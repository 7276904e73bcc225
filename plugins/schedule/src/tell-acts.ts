import type { App, WriteOrigin } from "@plinth/core";
import { type Act, onAct } from "@plinth/core/access";
import type { Problem } from "./contract.js";
import { InternalFailureError } from "./errors.js";
import type { StoredPlace } from "./places.js";

/** What is done with plans and releases, beside what they do with documents. */
export type PlanVerb =
  | "schedule.plan"
  | "schedule.cancel"
  | "schedule.run"
  | "release.create"
  | "release.change"
  | "release.remove"
  | "release.schedule"
  | "release.cancel"
  | "release.start"
  | "release.run";

/** One of them, before it is noted. */
export interface PlanAct {
  readonly action: PlanVerb;
  readonly origin: WriteOrigin;
  /** Of a plan. */
  readonly place?: StoredPlace;
  /** No text of the content. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Of what was refused or has failed. */
  readonly problems?: readonly Problem[];
}

/** Tells the hook `access:onAct`, in the transaction that keeps what was done. */
export async function tellPlanAct(app: App, { action, origin, place, details, problems = [] }: PlanAct): Promise<void> {
  if (!app.hooks.has(onAct)) return;
  const [first] = problems;
  await app.hooks.notify(onAct, {
    ...{ action, origin, result: resultOf(problems), isKept: true },
    subject: place && { uid: place.uid, documentId: place.documentId, locales: [place.locale] },
    details: first ? { ...details, code: first.code } : details,
  });
}

function resultOf(problems: readonly Problem[]): Act["result"] {
  if (problems.length === 0) return "accepted";
  return problems.some(({ code }) => code === InternalFailureError.code) ? "failed" : "refused";
}
