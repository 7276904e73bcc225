import { type Act, type ActSubject, onAct } from "../access/acts.js";
import type { WriteOrigin } from "../access/origin.js";
import { isPlinthError } from "../base/error.js";
import { resultOf } from "../base/telemetry.js";
import type { App } from "../kernel/app.js";
import type { ErrorBody } from "./error-answer.js";
import { type LoggedRequest, originOf } from "./request-log.js";

/** The statuses by which somebody is kept out: who they are is not known, they may not, they come too often. */
const REFUSALS: Readonly<Record<number, Act["result"]>> = { 401: "refused", 403: "refused", 429: "limited" };

/** As the server makes the ids of documents; what a client sends in their place may be anything. */
const DOCUMENT_ID = /^[a-z0-9]{1,40}$/i;

/** Refusals of one request that are reported, at most: a document of GraphQL may have any number of fields. */
const MOST_TOLD = 20;

/** Why a request, or a part of it, is refused. */
export interface Refusal {
  readonly error: unknown;
  /** As the client sees it. */
  readonly body: ErrorBody;
  /** The action that it needed, where the route does not say it: `api::note.note.create` of a field of GraphQL. */
  readonly asked?: string | undefined;
}

/** Tells the hook `access:onAct` of what is answered by 401, 403 or 429, once of each error; of others nothing. */
export function tellRefusal(app: App, request: LoggedRequest, { error, body, asked }: Refusal): void {
  const { status, code } = body;
  const result = REFUSALS[status];
  if (result === undefined || !app.hooks.has(onAct) || !noteTold(request, error)) return;
  const { route, operation } = request.state;
  const action = asked ?? route?.action;
  const what = { asked: action ?? operation ?? route?.operation, method: request.method, path: route?.path };
  const subject = subjectOf(app, request, action);
  const details = { ...what, status, code };
  void app.hooks.notify(onAct, { action: "access.refuse", result, origin: originOf(request), subject, details });
}

/** @returns whether there is something to tell: not what is reported already, nor too much */
function noteTold({ state }: LoggedRequest, error: unknown): boolean {
  state.toldRefusals ??= new Set();
  if (state.toldRefusals.has(error) || state.toldRefusals.size >= MOST_TOLD) return false;
  state.toldRefusals.add(error);
  return true;
}

function subjectOf({ model }: App, { params = {} }: LoggedRequest, action: string | undefined): ActSubject | undefined {
  const uid = action?.slice(0, action.lastIndexOf("."));
  if (uid === undefined || !model.contentTypes.has(uid)) return undefined;
  const { documentId } = params;
  return { uid, documentId: documentId !== undefined && DOCUMENT_ID.test(documentId) ? documentId : undefined };
}

/** An act of a request, before its result is known. */
export interface ToldAct<T> {
  readonly action: string;
  /** Whose account it is about: of what came of it, or, where it failed, of what was given. Undefined: of none that is known. */
  account(result: T | undefined): ToldAccount | undefined | Promise<ToldAccount | undefined>;
  /** True: it is of no interest where it succeeds, such as a refresh. Default: false. */
  readonly isRefusalOnly?: boolean;
}

/** An account, and the kind of actor that its owner is. */
interface ToldAccount extends ActSubject {
  readonly kind: string;
}

/** Does what proves who a caller is, or ends that, and tells the hook `access:onAct` how it ended. @throws what it throws */
export async function tellAct<T>(
  app: App,
  request: LoggedRequest,
  act: ToldAct<T>,
  work: () => Promise<T>,
): Promise<T> {
  if (!app.hooks.has(onAct)) return await work();
  const tell = async (done: T | undefined, end: Pick<Act, "result" | "details">): Promise<void> => {
    const told = actOf(originOf(request), await accountOf(app, act, done), end);
    await app.hooks.notify(onAct, { action: act.action, ...told });
  };
  try {
    const done = await work();
    if (!act.isRefusalOnly) await tell(done, { result: "accepted" });
    return done;
  } catch (error) {
    noteTold(request, error);
    await tell(undefined, {
      result: resultOf(error),
      details: isPlinthError(error) ? { code: error.code } : undefined,
    });
    throw error;
  }
}

/** The account, if it can be found: what the caller gets does not depend on that. */
async function accountOf<T>({ log }: App, act: ToldAct<T>, done: T | undefined): Promise<ToldAccount | undefined> {
  try {
    return await act.account(done);
  } catch (err) {
    log.error({ err, action: act.action }, "Whose account an act is about is not known: its entry names none");
    return undefined;
  }
}

/** One who succeeded is the actor; of one who failed it is not known who they are. */
function actOf(
  origin: WriteOrigin,
  account: ToldAccount | undefined,
  end: Pick<Act, "result" | "details">,
): Omit<Act, "action"> {
  if (!account) return { ...end, origin };
  const { kind, uid, documentId } = account;
  const actor = end.result === "accepted" ? { kind, id: documentId } : origin.actor;
  return { ...end, origin: { ...origin, actor }, subject: { uid, documentId } };
}
