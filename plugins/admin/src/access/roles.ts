import { type Ability, type Actor, type ActorUser, type App, type ServiceRef, serviceRef } from "@plinth/core";
import { type AccessProblem, createAbility, type Grant, mergeGrants } from "@plinth/core/access";
import type { AdminConfig } from "../config.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { ROLE_TYPE } from "../content-types/role.js";
import { admin } from "../contract.js";
import type { PageExtensions } from "../page/page-extensions.js";
import { GIVEN_ROLES, SUPER } from "./given-roles.js";

/** What administrators with a role may do: what code grants holds, and the database adds to it. */
export class Roles {
  /** By the model, which never changes while the app runs. */
  readonly #byCode = new Map<string, Grant>();

  constructor(
    private readonly app: App,
    private readonly configured: AdminConfig["roles"],
  ) {}

  /** The ability of an administrator with a role; of a role that is not there, nothing. */
  async abilityOf(role: string, user: ActorUser): Promise<Ability> {
    return createAbility(await this.#grantOf(role), { user, kind: "admin", now: () => this.app.clock.now() });
  }

  /** The administrator as the caller of a request; undefined for one who may not sign in. */
  async actorOf(user: ActorUser): Promise<Actor | undefined> {
    const found = await this.app.documents(ADMINISTRATOR_TYPE).findOne({ documentId: user.documentId });
    if (!found?.["isActive"]) return undefined;
    return { kind: "admin", user, ability: await this.abilityOf(String(found["role"]), user) };
  }

  /** An administrator by document id, as they are now; undefined for one who may not sign in. */
  async recall(documentId: string): Promise<Actor | undefined> {
    const found = await this.app.documents(ADMINISTRATOR_TYPE).findOne({ documentId, fields: ["id"] });
    return found ? await this.actorOf({ id: found.id, documentId }) : undefined;
  }

  /** Every role that there is. */
  async names(): Promise<readonly string[]> {
    const stored = await this.app.documents(ROLE_TYPE).findMany({ pagination: { limit: -1 } });
    return [...new Set([...this.#namesByCode(), ...stored.map(({ name }) => String(name))])];
  }

  /** What is wrong with the grants of the configuration, once all actions are known. */
  problems(): readonly AccessProblem[] {
    const path = (role: string) => `admin.roles.${role}`;
    return Object.entries(this.configured).flatMap(([role, grant]) =>
      role === SUPER
        ? [{ path: path(role), message: "is the role that may do everything; give another one a grant" }]
        : this.problemsOf(grant, path(role)),
    );
  }

  /** What is wrong with a grant of a role, which may name the actions of the page as well. */
  problemsOf(grant: Grant, path: string): readonly AccessProblem[] {
    const actions = (this.app.extension(admin) as PageExtensions).listActions();
    const isOfPage = (item: unknown) => typeof item === "string" && Object.hasOwn(actions, item);
    // The core knows what the content API asks for; a pattern stands in for what it does not know.
    const known = Array.isArray(grant) ? grant.map((item) => (isOfPage(item) ? "*" : item)) : grant;
    return this.app.permissions.problemsOf(known, path, "admin");
  }

  #namesByCode(): readonly string[] {
    return [...Object.keys(GIVEN_ROLES), ...Object.keys(this.configured)];
  }

  async #grantOf(role: string): Promise<Grant> {
    const byCode = this.#grantByCode(role);
    if (role === SUPER) return byCode;
    const stored = await this.app.documents(ROLE_TYPE).findFirst({ filters: { name: role } });
    return stored ? mergeGrants(byCode, stored["grant"] as Grant) : byCode;
  }

  #grantByCode(role: string): Grant {
    const known = this.#byCode.get(role);
    if (known) return known;
    const configured = Object.hasOwn(this.configured, role) ? (this.configured[role] as Grant) : undefined;
    const given = Object.hasOwn(GIVEN_ROLES, role) ? GIVEN_ROLES[role]?.grant(this.app.model) : undefined;
    const grant = configured ?? given ?? "none";
    if (configured || given) this.#byCode.set(role, grant);
    return grant;
  }
}

/** The plugin's own: what administrators may do. */
export const roles: ServiceRef<Roles> = serviceRef<Roles>("plugin::admin.roles");
