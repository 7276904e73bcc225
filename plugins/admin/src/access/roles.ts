import {
  type Ability,
  type Actor,
  type ActorUser,
  type App,
  type Document,
  type ServiceRef,
  serviceRef,
} from "@plinth/core";
import { type AccessProblem, createAbility, type Grant, mergeGrants } from "@plinth/core/access";
import { GrantsMoreError } from "../accounts/errors.js";
import type { AdminConfig } from "../config.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { ROLE_TYPE } from "../content-types/role.js";
import { admin, type PageActions } from "../contract.js";
import type { PageExtensions } from "../page/page-extensions.js";
import type { RoleOrigin } from "../wire/roles.js";
import { covers, type Excess, findExcess } from "./covers.js";
import { GIVEN_ROLES, SUPER } from "./given-roles.js";

/** What an administrator has by their role. */
export interface Powers {
  readonly ability: Ability;
  /** Whether the role asks for a second factor. */
  readonly needsSecondFactor: boolean;
}

/** Two changes of who has which role, and of which roles there are, are made one after the other. */
export const ROLES_LOCK = "admin roles";

const EVERY_ROLE = "*";

/** What administrators with a role may do: what code grants holds, and the database adds to it. */
export class Roles {
  /** By the model, which never changes while the app runs. */
  readonly #byCode = new Map<string, Grant>();

  constructor(
    private readonly app: App,
    private readonly config: Pick<AdminConfig, "roles" | "secondFactor">,
  ) {}

  /** The ability of an administrator with a role; of a role that is not there, nothing. */
  async abilityOf(role: string, user: ActorUser): Promise<Ability> {
    return (await this.powersOf(role, user)).ability;
  }

  /** What an administrator has by a role; of one that is not there, nothing. */
  async powersOf(role: string, user: ActorUser): Promise<Powers> {
    const stored = role === SUPER ? null : await this.#stored(role);
    return {
      ability: createAbility(this.#join(role, stored), { user, kind: "admin", now: () => this.app.clock.now() }),
      needsSecondFactor: stored?.["requiresSecondFactor"] === true || this.isRequiredByConfig(role),
    };
  }

  /** Whether the configuration asks a second factor of all who have a role. */
  isRequiredByConfig(role: string): boolean {
    const { requiredFor } = this.config.secondFactor;
    return requiredFor.includes(role) || requiredFor.includes(EVERY_ROLE);
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
    return [...new Set([...this.namesByCode(), ...stored.map(({ name }) => String(name))])];
  }

  /** What is wrong with what the configuration says of roles, once all actions are known. */
  problems(): readonly AccessProblem[] {
    const path = (role: string) => `admin.roles.${role}`;
    return Object.entries(this.config.roles).flatMap(([role, grant]) =>
      role === SUPER
        ? [{ path: path(role), message: "is the role that may do everything; give another one a grant" }]
        : this.problemsOf(grant, path(role)),
    );
  }

  /** All that a role may do, by code and in the database. */
  async grantOf(role: string): Promise<Grant> {
    return this.#join(role, role === SUPER ? null : await this.#stored(role));
  }

  /** All that an account may do now, as the database says; nothing where it may not sign in. */
  async grantOfAccount({ documentId }: Pick<ActorUser, "documentId">): Promise<Grant> {
    const found = await this.app.documents(ADMINISTRATOR_TYPE).findOne({ documentId });
    return found?.["isActive"] === true ? await this.grantOf(String(found["role"])) : "none";
  }

  /** What code grants to a role, and where that is written; undefined for a role of the database alone. */
  byCode(role: string): { readonly grant: Grant; readonly origin: RoleOrigin } | undefined {
    if (!this.namesByCode().includes(role)) return undefined;
    return { grant: this.#grantByCode(role), origin: Object.hasOwn(this.config.roles, role) ? "configured" : "given" };
  }

  /** What the second grant allows beyond the first; undefined: the first one covers it. */
  findExcess(mine: Grant, theirs: Grant): Excess | undefined {
    return findExcess(mine, theirs, this.#actions(), this.app.model.openDrafts);
  }

  /** Whether who has the first grant may do all that the second one allows. */
  covers(mine: Grant, theirs: Grant): boolean {
    return covers(mine, theirs, this.#actions(), this.app.model.openDrafts);
  }

  /** Whether an account, as it is in the database, may do all that a grant allows. @throws PLINTH_ADMIN_GRANTS_MORE (403) */
  async assertCovers(caller: Pick<ActorUser, "documentId">, grant: Grant, holder: string): Promise<void> {
    const excess = this.findExcess(await this.grantOfAccount(caller), grant);
    if (excess) throw new GrantsMoreError({ holder, ...excess });
  }

  /** The roles that there are without the database. */
  namesByCode(): readonly string[] {
    return [...new Set([...Object.keys(GIVEN_ROLES), ...Object.keys(this.config.roles)])];
  }

  /**
   * What is wrong with a grant that the database is to add to what code grants to a role: as `problemsOf`, and rules that would take
   * from what code grants.
   */
  problemsOfAddition(role: string, grant: Grant, path: string): readonly AccessProblem[] {
    const byCode = createAbility(this.#grantByCode(role));
    const rules = Array.isArray(grant)
      ? (grant as readonly unknown[]).map((item) => Object(item) as { action?: unknown })
      : [];
    const taking = rules.flatMap(({ action }, index) =>
      typeof action === "string" && byCode.can(action)
        ? [{ path: `${path}[${index}]`, message: `would limit ${action}, which the code grants to "${role}"` }]
        : [],
    );
    return [...this.problemsOf(grant, path), ...taking];
  }

  /** What is wrong with a grant of a role, which may name the actions of the page as well. */
  problemsOf(grant: Grant, path: string): readonly AccessProblem[] {
    const actions = this.#pageActions();
    const isOfPage = (item: unknown) => typeof item === "string" && Object.hasOwn(actions, item);
    // The core knows what the content API asks for; a pattern stands in for what it does not know.
    const known = Array.isArray(grant) ? grant.map((item) => (isOfPage(item) ? "*" : item)) : grant;
    return this.app.permissions.problemsOf(known, path, "admin");
  }

  #actions(): readonly string[] {
    return [...this.app.permissions.actions(), ...Object.keys(this.#pageActions())];
  }

  #pageActions(): PageActions {
    return (this.app.extension(admin) as PageExtensions).listActions();
  }

  async #stored(role: string): Promise<Document | null> {
    return await this.app.documents(ROLE_TYPE).findFirst({ filters: { name: role } });
  }

  #join(role: string, stored: Document | null): Grant {
    const byCode = this.#grantByCode(role);
    return stored ? mergeGrants(byCode, stored["grant"] as Grant) : byCode;
  }

  #grantByCode(role: string): Grant {
    const known = this.#byCode.get(role);
    if (known) return known;
    const configured = Object.hasOwn(this.config.roles, role) ? (this.config.roles[role] as Grant) : undefined;
    const given = Object.hasOwn(GIVEN_ROLES, role) ? GIVEN_ROLES[role]?.grant(this.app.model) : undefined;
    const grant = configured ?? given ?? "none";
    if (configured || given) this.#byCode.set(role, grant);
    return grant;
  }
}

/** The plugin's own: what administrators may do. */
export const roles: ServiceRef<Roles> = serviceRef<Roles>("plugin::admin.roles");
