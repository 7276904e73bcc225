import type { App, Document } from "@plinth/core";
import type { PermissionEntry } from "@plinth/core/access";
import { PERMISSION } from "../content-types.js";

/** The permissions of a role that the database holds. */
export async function listStored(app: App, roleId: number): Promise<readonly string[]> {
  const rows = await app.documents(PERMISSION).findMany({ fields: ["action"], filters: { role: { id: roleId } } });
  const actions = rows.map((row) => String(row["action"]));
  app.permissions.noteNamed(actions);
  return actions;
}

/** Grants what a role lacks of some actions, and takes away what it has beyond them. To be called in a transaction. */
export async function storePermissions(app: App, roleId: number, actions: readonly string[]): Promise<void> {
  app.permissions.noteNamed(actions);
  const documents = app.documents(PERMISSION);
  const rows = await documents.findMany({ fields: ["action"], filters: { role: { id: roleId } } });
  const kept = new Set<string>();
  for (const row of rows) {
    const action = String(row["action"]);
    if (!actions.includes(action) || kept.has(action)) await documents.delete({ documentId: row.documentId });
    else kept.add(action);
  }
  for (const action of new Set(actions)) {
    if (!kept.has(action)) await documents.create({ data: { action, role: roleId }, fields: ["id"] });
  }
}

/** Every permission that the database holds, as `plinth permissions` lists them. */
export async function listAllStored(app: App): Promise<readonly PermissionEntry[]> {
  const rows = await app
    .documents(PERMISSION)
    .findMany({ fields: ["action"], populate: { role: { fields: ["type"] } } });
  return rows.map((row) => {
    const role = row["role"] as Document | null;
    return { role: String(role?.["type"] ?? ""), action: String(row["action"]), source: "database" };
  });
}
