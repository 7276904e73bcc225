import type { App, Document } from "@plinth/core";
import { USER } from "../content-types/user.js";
import type { Account, Role } from "../contract.js";

/** The user that a filter finds; undefined when there is none. */
export async function readAccount(app: App, filters: Readonly<Record<string, unknown>>): Promise<Account | undefined> {
  const found = await app.documents(USER).findFirst({ filters, populate: { role: true } });
  return found ? toAccount(found) : undefined;
}

function toAccount(user: Document): Account {
  const role = user["role"] as Document | null;
  return {
    id: user.id,
    documentId: user.documentId,
    username: String(user["username"]),
    email: String(user["email"]),
    provider: String(user["provider"] ?? "local"),
    confirmed: user["confirmed"] === true,
    blocked: user["blocked"] === true,
    sessionVersion: Number(user["sessionVersion"]),
    role: role && toRole(role),
  };
}

/** A role as the plugin's own code sees it. */
export function toRole({ id, documentId, ...role }: Document): Role {
  const description = role["description"] as string | null;
  return { id, documentId, name: String(role["name"]), description, type: String(role["type"]) };
}
