import type { Ability, App, Document } from "@plinth/core";
import { allowAction, unlimited } from "@plinth/core/access";
import { parseReadParams } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { ROLE } from "../content-types/role.js";

/** Roles as the caller may see them: the rows and attributes that their rule on an action reaches. */
export async function readRoles(
  app: App,
  params: { readonly filters?: object; readonly sort?: string },
  action: "find" | "findOne",
  caller: Ability = unlimited,
): Promise<readonly Document[]> {
  const type = app.model.contentTypes.get(ROLE) as ContentType;
  // What is asked for is the route's own; what may be shown is the rule's.
  const ability = allowAction(caller, `${ROLE}.${action}`);
  const options = { visibility: "public", ability, action: `${ROLE}.${action}`, defaultStatus: "published" } as const;
  const limits = { defaultLimit: Number.POSITIVE_INFINITY, maxLimit: Number.POSITIVE_INFINITY, withCount: false };
  const prepared = parseReadParams(app.model, type, params, { ...options, kind: "list", limits });
  return (await app.documents(ROLE).read(prepared)).rows();
}

/** Whether the caller sees the permissions of a role, beside the role. */
export function showsPermissions(ability: Ability = unlimited): boolean {
  const reach = allowAction(ability, `${ROLE}.findOne`).reachOf(`${ROLE}.findOne`);
  return reach.rows !== "nothing" && reach.fields?.has("permissions") !== false;
}
