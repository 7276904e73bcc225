import { explainStrapiCode } from "../base/strapi-code.js";
import type { App } from "../kernel/app.js";
import { buildErrorAnswer, type ErrorAnswer } from "./error-answer.js";
import { logFault } from "./fault-log.js";

/** A request, as the log names it. */
export interface RequestName {
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
}

/** Makes the answer for a thrown value. An internal error is logged with all its details, under the request's id. */
export function answerError(app: App, error: unknown, { method, path, requestId }: RequestName): ErrorAnswer {
  const answer = buildErrorAnswer(error);
  if (answer.isFault) logFault(app.log, explainStrapiCode(error) ?? error, { requestId, method, path });
  return answer;
}

/** Writes the line of an answered request, at level info. @param start - when it arrived, as of `performance.now()` */
export function logAnswer(app: App, { method, path, requestId }: RequestName, status: number, start: number): void {
  if (!app.log.isLevelEnabled("info")) return;
  const ms = Math.round(performance.now() - start);
  app.log.info({ method, path, status, ms, requestId }, `${method} ${path} ${status} (${ms} ms)`);
}
