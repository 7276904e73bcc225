/** All that a role of end users may do, as the database says now. */
import type { App } from "@plinth/core";
import { type Grant, mergeGrants } from "@plinth/core/access";
import type { Role } from "../contract.js";
import { listStored } from "./stored-permissions.js";

/** The grant of a role, of code and database together. */
export async function grantOfRole(app: App, { id, type }: Pick<Role, "id" | "type">): Promise<Grant> {
  return withStored(app, type, await listStored(app, id));
}

/** The grant of a role of a type with some actions in the database; where both grant one action, code wins. */
export const withStored = ({ permissions }: App, type: string, stored: readonly string[]): Grant =>
  mergeGrants(permissions.forRole(type) ?? "none", stored);
