import { explainStrapiCode } from "../base/strapi-code.js";
import type { App } from "../kernel/app.js";
import { buildErrorAnswer, type ErrorAnswer } from "./error-answer.js";
import { logFault } from "./fault-log.js";
import { tellRefusal } from "./tell-acts.js";
import { type LoggedRequest, requestFields } from "./request-log.js";

/** Makes the answer for a thrown value, and notes it in the state of the request. An internal error is logged with all its details, under the request's id. */
export function answerError(app: App, error: unknown, request: LoggedRequest): ErrorAnswer {
  const answer = buildErrorAnswer(error);
  request.state.failure = answer.body.error;
  tellRefusal(app, request, { error, body: answer.body.error });
  if (answer.isFault) logFault(app.log, explainStrapiCode(error) ?? error, requestFields(request));
  return answer;
}
