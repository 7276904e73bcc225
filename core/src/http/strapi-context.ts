// What code that was written for Strapi finds in a context: an error that says what to write, in place of undefined.
import { refuseStrapiMembers } from "../base/strapi-members.js";
import type { MatchedRoute } from "./route-description.js";
import type { RequestState } from "./types.js";

/** The state of a request as its first middleware makes it. */
export type NewState = Partial<RequestState> & Pick<RequestState, "requestId">;

const STATE = refuseStrapiMembers({}, "ctx.state");

/** Its prototype refuses members of Strapi's state: `user`, which a policy would take for a caller without an account. */
class State {
  constructor(
    readonly requestId: string,
    readonly route?: RequestState["route"],
  ) {}
}
Object.setPrototypeOf(State.prototype, STATE);

/** Makes the state of a request. */
export const createState = (requestId: string, route?: RequestState["route"]): NewState =>
  new State(requestId, route) as NewState;

const PARAMS = refuseStrapiMembers({}, "ctx.params");

/** Decoded parameters of a path. */
export type PathParams = Readonly<Record<string, string>>;

/**
 * Makes the parameters of a path those of a context. Where its route names a document, `id` is refused, unless a route of the app
 * has a parameter of that name: then code for both may ask for either.
 */
export function createParamsForCode(routes: readonly MatchedRoute[]): (params: PathParams) => PathParams {
  const isOwn = routes.some(({ owner, path }) => !owner.startsWith("plugin::") && /[/]:id\b/.test(path));
  if (isOwn) return (params) => params;
  return (params) =>
    Object.hasOwn(params, "documentId") && !Object.hasOwn(params, "id")
      ? (Object.setPrototypeOf(params, PARAMS) as PathParams)
      : params;
}
