import type { App } from "@plinth/core";
import { PERMISSION, ROLE } from "../content-types.js";
import { storePermissions } from "./stored-permissions.js";

/** A role that exists from the first start on. */
export interface DefaultRole {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** What it is granted when it is made; later it has what administrators and code give it. */
  readonly actions: readonly string[];
}

/** Two changes of roles and of their grants are made one after the other. */
export const ROLES_LOCK = "plinth users-permissions roles";

/** The role of requests without credentials. */
export const PUBLIC = "public";

const own = (controller: string, ...names: readonly string[]): readonly string[] =>
  names.map((name) => `plugin::users-permissions.${controller}.${name}`);

/** @source plugins/content-api/WIRE.md#actions */
export const defaultRoles: readonly DefaultRole[] = [
  {
    name: "Authenticated",
    description: "Default role given to authenticated user.",
    type: "authenticated",
    actions: [...own("auth", "changePassword", "logout", "getSessions", "revokeSession"), ...own("user", "me")],
  },
  {
    name: "Public",
    description: "Default role given to unauthenticated user.",
    type: PUBLIC,
    actions: [
      ...own("auth", "callback", "connect", "emailConfirmation", "forgotPassword", "refresh", "register"),
      ...own("auth", "resetPassword", "sendEmailConfirmation"),
    ],
  },
];

/**
 * Makes the default roles and those that code grants something, where they are missing, and removes grants of actions that no longer exist. Processes that
 * start at once take turns.
 *
 * @param known - every action that exists.
 */
export async function prepareRoles(app: App, known: readonly string[]): Promise<void> {
  await app.db.transaction(async () => {
    await app.db.lock(ROLES_LOCK);
    const roles = await app.documents(ROLE).findMany({ fields: ["type"] });
    const types = new Set(roles.map((role) => role["type"]));
    const needed = [...defaultRoles, ...rolesOfCode(app)];
    for (const role of needed) if (!types.has(role.type)) await createRole(app, role);
    await removeUnknown(app, known);
  });
}

/** `content_editor` is named "Content editor". What code grants is not stored. */
function rolesOfCode({ permissions }: App): readonly DefaultRole[] {
  const known = new Set(defaultRoles.map(({ type }) => type));
  const types = permissions.roles().filter((type) => !known.has(type));
  return types.map((type) => {
    const words = type.replaceAll(/[_-]+/g, " ");
    const name = words.charAt(0).toUpperCase() + words.slice(1);
    return { name, description: "Role of the app's code.", type, actions: [] };
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
