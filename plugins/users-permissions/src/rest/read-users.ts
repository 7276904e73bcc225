import type { Ability, App, Document, QueryObject, ReadResult } from "@plinth/core";
import { allowAction, assertCan } from "@plinth/core/access";
import { type Limits, type PreparedRead, parseReadParams } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { checkQuery, parseRestConfig } from "@plinth/plugin-content-api";
import { USER } from "../content-types.js";
import { UserNotFoundError } from "../errors.js";

/** Whose eyes a read is for. */
export interface Viewer {
  readonly ability: Ability;
  /** The action of users whose rule on rows and fields holds. */
  readonly action: "find" | "findOne" | "me" | "update";
}

/**
 * A page of users as JSON text. Beside `pagination`, `start` and `limit` may stand at the root of the query string.
 *
 * @throws PLINTH_QUERY_*, PLINTH_REST_* (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export function readUsers(app: App, query: QueryObject, viewer: Viewer): Promise<ReadResult> {
  checkQuery(query, { isList: true, isStrict: false });
  const { start, limit, pagination = { start, limit }, ...params } = query;
  const { maxLimit } = parseRestConfig(app.config.get("api.rest"));
  const limits = { defaultLimit: maxLimit, maxLimit, withCount: false };
  return app.documents(USER).read(prepare(app, { ...params, pagination }, viewer, limits));
}

/**
 * How many users a query finds. A caller who may count users and not list them gets the number of all; filters and
 * search would reveal who they are.
 *
 * @throws PLINTH_ACCESS_FORBIDDEN (403), PLINTH_QUERY_*, PLINTH_REST_UNKNOWN_PARAMETER (400)
 */
export async function countUsers(app: App, query: QueryObject, caller: Ability): Promise<number> {
  checkQuery(query, { isList: false, isStrict: false });
  const { filters, _q } = query;
  if (filters !== undefined || _q !== undefined) assertCan(caller, [FIND]);
  const viewer: Viewer = { ability: allowAction(caller, FIND), action: "find" };
  const prepared = prepare(app, { filters, _q, fields: ["id"] }, viewer, { ...ONE, withCount: true });
  const { total = 0 } = await app.documents(USER).read(prepared);
  return total;
}

/**
 * One user by row id; undefined when there is none that the viewer may see, and that the query's filters and search find.
 *
 * @throws PLINTH_QUERY_*, PLINTH_REST_UNKNOWN_PARAMETER (400)
 */
export async function readUser(
  app: App,
  id: number,
  query: QueryObject,
  viewer: Viewer,
): Promise<Document | undefined> {
  checkQuery(query, { isList: false, isStrict: false });
  const { filters, _q, sort, fields, populate } = query;
  const asked = { filters, _q, sort, fields, populate };
  prepare(app, asked, viewer, ONE);
  const documentId = await findDocumentId(app, id);
  if (documentId === undefined) return undefined;
  const options = { ...optionsOf(viewer), kind: "one", documentId, budget: app.readBudget } as const;
  const prepared = parseReadParams(app.model, typeOf(app), asked, options);
  return (await app.documents(USER).read(prepared)).rows()[0];
}

/** The documentId of a user, without a check of permissions. */
export async function findDocumentId(app: App, id: number): Promise<string | undefined> {
  const found = await app.documents(USER).findFirst({ filters: { id }, fields: ["id"] });
  return found?.documentId;
}

const FIND = `${USER}.find`;
const ONE: Limits = { defaultLimit: 1, maxLimit: 1, withCount: false };

function prepare(app: App, params: object, viewer: Viewer, limits: Limits): PreparedRead {
  return parseReadParams(app.model, typeOf(app), params, {
    ...optionsOf(viewer),
    kind: "list",
    limits,
    budget: app.readBudget,
  });
}

function optionsOf({ ability, action }: Viewer) {
  return { visibility: "public", ability, action: `${USER}.${action}`, defaultStatus: "published" } as const;
}

/** @throws PLINTH_USERS_USER_NOT_FOUND (404) in an app that has taken the type away */
function typeOf({ model }: App): ContentType {
  const type = model.contentTypes.get(USER);
  if (!type) throw new UserNotFoundError({});
  return type;
}
