import { type Ability, type App, type Document, implement, snakeCase } from "@plinth/core";
import { allowAction, createAbility, unlimited } from "@plinth/core/access";
import { parseReadParams } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { type Actors, actors } from "../actors/actors.js";
import type { UsersPermissionsConfig } from "../config.js";
import { ROLE, USER } from "../content-types.js";
import { type Role, type RoleChanges, type Roles, roles } from "../contract.js";
import { refused, RoleMissingError } from "../errors.js";
import { toRole } from "../users/users-service.js";
import { PUBLIC } from "./default-roles.js";
import { buildTree, type Granted, isDraftAction, listKnownActions, parseTree } from "./permission-tree.js";
import { listStored, storePermissions } from "./stored-permissions.js";

/** Roles, kept as documents. */
export const rolesImpl = implement<Roles, { readonly actors: typeof actors }, UsersPermissionsConfig>(roles, {
  deps: { actors },
  create: ({ actors }, { app, config }) => new StoredRoles(app, actors, config.defaultRole),
});

/** Attributes of a role that answers show; users are counted, and permissions are a tree. */
const SHOWN = ["name", "description", "type", "createdAt", "updatedAt", "publishedAt"];

class StoredRoles implements Roles {
  #known: readonly string[] | undefined;

  constructor(
    private readonly app: App,
    private readonly actors: Actors,
    private readonly defaultType: string,
  ) {}

  publicAbility = () => this.actors.publicAbility();

  abilityOf: Roles["abilityOf"] = (account) => this.actors.abilityOf(account);

  invalidate = () => this.actors.rolesChanged();

  async defaultRole(): Promise<Role> {
    const found = await this.#roles.findFirst({ filters: { type: this.defaultType } });
    if (found) return toRole(found);
    const all = await this.#roles.findMany({ fields: ["type"] });
    throw new RoleMissingError({ type: this.defaultType, known: all.map((role) => String(role["type"])) });
  }

  async list(ability?: Ability): Promise<readonly (Document & { readonly nb_users: number })[]> {
    const all = await readRoles(this.app, { sort: "id" }, "find", ability);
    const counts = all.map(({ id }) => this.app.documents(USER).count({ filters: { role: { id } } }));
    const users = await Promise.all(counts);
    return all.map((role, index) => ({ ...role, nb_users: users[index] ?? 0 }));
  }

  findOne: Roles["findOne"] = async (id, ability) => {
    const [shown] = await readRoles(this.app, { filters: { id } }, "findOne", ability);
    const role = shown && (await this.#find(id));
    if (!shown || !role) return undefined;
    if (!showsPermissions(ability)) return shown;
    const stored = new Set(await listStored(this.app, id));
    const { isFromCode } = this.#codeGrants(String(role["type"]));
    const granted = { can: (action: string) => stored.has(action) || isFromCode(action), isFromCode };
    return { ...shown, permissions: buildTree(this.#actions, granted) };
  };

  create: Roles["create"] = async ({ name, description, permissions }) => {
    if (!name) throw refused("name is a required field");
    const type = snakeCase(name);
    await this.#transaction(async () => {
      if ((await this.#roles.count({ filters: { type } })) > 0) throw refused(`There is a role "${type}" already`);
      const { id } = await this.#roles.create({
        data: { name, description: description ?? null, type },
        fields: ["id"],
      });
      await this.#store(id, type, permissions ?? {});
    });
  };

  update: Roles["update"] = (id, { permissions, ...data }: RoleChanges) =>
    this.#transaction(async () => {
      const role = await this.#find(id);
      // Locks it, so that no permission is left of a role that is deleted.
      if (!role || !(await this.#roles.update({ documentId: role.documentId, data, fields: ["id"] }))) return false;
      if (permissions !== undefined) await this.#store(id, String(role["type"]), permissions);
      return true;
    });

  delete: Roles["delete"] = (id) =>
    this.#transaction(async () => {
      const role = await this.#find(id);
      if (!role) return false;
      const type = String(role["type"]);
      if (type === PUBLIC || type === this.defaultType) throw refused(`Cannot delete the role "${type}"`);
      await this.#moveUsers(id);
      // Writes lock a user before the role: those that are under way end first, and later ones find that it is gone.
      if (!(await this.#roles.lock(role.documentId))) return false;
      await this.#moveUsers(id);
      await storePermissions(this.app, id, []);
      await this.#roles.delete({ documentId: role.documentId });
      return true;
    });

  /**
   * @source plugins/content-api/WIRE.md#users-and-roles, a client may compare it exactly, so the actions on drafts are
   *   in the trees of roles alone
   */
  permissionTree: Roles["permissionTree"] = () =>
    buildTree(
      this.#actions.filter((action) => !isDraftAction(action)),
      { can: () => false, isFromCode: () => false },
    );

  get #roles() {
    return this.app.documents(ROLE);
  }

  /** Routes and content-types do not change while an app runs. */
  get #actions(): readonly string[] {
    this.#known ??= listKnownActions(this.app);
    return this.#known;
  }

  #find(id: number): Promise<Document | null> {
    return this.#roles.findFirst({ filters: { id }, fields: SHOWN });
  }

  #transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.app.db.transaction(work);
  }

  #codeGrants(type: string): Pick<Granted, "isFromCode"> {
    const ability = createAbility(this.app.permissions.forRole(type) ?? "none");
    return { isFromCode: (action) => ability.can(action) };
  }

  /** What code grants is not stored as well: it would stay when the code no longer says it. */
  async #store(id: number, type: string, tree: unknown): Promise<void> {
    const { isFromCode } = this.#codeGrants(type);
    const actions = parseTree(tree, this.#actions, { isFromCode });
    await storePermissions(
      this.app,
      id,
      actions.filter((action) => !isFromCode(action)),
    );
  }

  /** @source plugins/content-api/WIRE.md#users-and-roles */
  async #moveUsers(from: number): Promise<void> {
    const users = this.app.documents(USER);
    const target = await this.#roles.findFirst({ filters: { type: PUBLIC }, fields: ["id"] });
    const moved = await users.findMany({ filters: { role: { id: from } }, fields: ["id"] });
    for (const { documentId } of moved) await users.update({ documentId, data: { role: target?.id }, fields: ["id"] });
  }
}

/** Roles as the caller may see them: the rows and attributes that their rule on an action reaches. */
async function readRoles(
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
function showsPermissions(ability: Ability = unlimited): boolean {
  const reach = allowAction(ability, `${ROLE}.findOne`).reachOf(`${ROLE}.findOne`);
  return reach.rows !== "nothing" && reach.fields?.has("permissions") !== false;
}
