import type { App } from "@plinth/core";
import { PERMISSION } from "../content-types/permission.js";
import { ROLE } from "../content-types/role.js";
import { type DefaultRole, defaultRoles } from "./default-roles.js";
import { storePermissions } from "./stored-permissions.js";

/**
 * Makes the default roles where they are missing, and removes grants of actions that no longer exist. Processes that
 * start at once take turns.
 *
 * @param known - every action that exists.
 */
export async function prepareRoles(app: App, known: readonly string[]): Promise<void> {
  await app.db.transaction(async () => {
    await app.db.query({ text: "select pg_advisory_xact_lock(hashtext('plinth users-permissions'))", values: [] });
    const roles = await app.documents(ROLE).findMany({ fields: ["type"] });
    const types = new Set(roles.map((role) => role["type"]));
    for (const role of defaultRoles) if (!types.has(role.type)) await createRole(app, role);
    await removeUnknown(app, known);
  });
}

async function createRole(app: App, { actions, ...data }: DefaultRole): Promise<void> {
  const { id } = await app.documents(ROLE).create({ data, fields: ["id"] });
  await storePermissions(app, id, actions);
}

async function removeUnknown(app: App, known: readonly string[]): Promise<void> {
  const documents = app.documents(PERMISSION);
  const gone = await documents.findMany({ fields: ["action"], filters: { action: { $notIn: known } } });
  for (const { documentId } of gone) await documents.delete({ documentId });
  const actions = [...new Set(gone.map((row) => row["action"]))];
  if (actions.length > 0) app.log.info({ actions }, "Removed grants of actions that no longer exist");
}
