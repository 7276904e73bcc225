import { createHash } from "node:crypto";
import { type ActorUser, type App, type Document, NotFoundError, type ServiceRef, serviceRef } from "@plinth/core";
import { type Grant, mergeGrants } from "@plinth/core/access";
import { ROLES_LOCK, type Roles } from "../access/roles.js";
import { GrantsMoreError } from "../accounts/errors.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { INVITATION_TYPE } from "../content-types/invitation.js";
import { ROLE_TYPE } from "../content-types/role.js";
import { VIEW_TYPE } from "../content-types/view.js";
import { PreconditionMissingError } from "../errors.js";
import type { GrantItem, RoleChanges, RoleView } from "../wire/roles.js";
import { RoleChangedError, RoleInUseError, RoleOfCodeError } from "./errors.js";

/** A role that is to be changed, and the version that its reader saw. */
interface RoleEdit {
  readonly id: string;
  /** `If-Match` as it came; empty: there was none. */
  readonly ifMatch: string;
  readonly changes: Partial<RoleChanges>;
}

/** How often a role is named. */
interface Uses {
  readonly accounts: number;
  readonly invitations: number;
}

const UNUSED: Uses = { accounts: 0, invitations: 0 };

/** Roles as the page shows and changes them. No account makes one that may do more than its own, nor changes one that does. */
export class RoleStore {
  constructor(
    private readonly app: App,
    private readonly deps: { readonly roles: Roles },
  ) {}

  /** All roles: those of code first, then by name. */
  async list(caller: ActorUser): Promise<readonly RoleView[]> {
    const { roles } = this.deps;
    const rows = await this.#documents.findMany({ sort: "name", pagination: { limit: -1 } });
    const byName = new Map(rows.map((row) => [String(row["name"]), row]));
    const names = [...new Set([...roles.namesByCode(), ...byName.keys()])];
    const [mine, uses] = await Promise.all([roles.grantOfAccount(caller), this.#uses()]);
    return names.map((name) => this.#view(name, byName.get(name), { mine, uses: uses.get(name) ?? UNUSED }));
  }

  /**
   * Makes a role, or what the database adds to one of code.
   *
   * @throws PLINTH_ADMIN_INVALID, PLINTH_DOCUMENT_NOT_UNIQUE (400), PLINTH_ADMIN_GRANTS_MORE (403)
   */
  async create(caller: ActorUser, values: RoleChanges): Promise<RoleView> {
    return await this.#changing(async () => {
      const { name, description = null, grant = [], requiresSecondFactor = false } = values;
      const mine = await this.deps.roles.grantOfAccount(caller);
      const row = await this.#documents.create({ data: { name, description, grant, requiresSecondFactor } });
      this.#assertWithin(mine, name, grant);
      return this.#view(name, row, { mine, uses: (await this.#uses()).get(name) ?? UNUSED });
    });
  }

  /**
   * Changes a role, for all who have it. Under another name it stays theirs.
   *
   * @throws PLINTH_ADMIN_PRECONDITION_MISSING (428), PLINTH_ADMIN_ROLE_CHANGED (412), PLINTH_ADMIN_ROLE_OF_CODE (409) and as `create`
   */
  async update(caller: ActorUser, { id, ifMatch, changes }: RoleEdit): Promise<RoleView> {
    if (ifMatch === "") throw new PreconditionMissingError({});
    return await this.#changing(async () => {
      const row = await this.#find(id);
      const before = String(row["name"]);
      const mine = await this.deps.roles.grantOfAccount(caller);
      this.#assertWithin(mine, before, grantOf(row));
      if (!matches(ifMatch, versionOf(row))) throw new RoleChangedError({ role: before });
      const { name = before, grant = grantOf(row) } = changes;
      if (name !== before) await this.#rename(before, name);
      const written = (await this.#documents.update({ documentId: id, data: { ...changes } })) as Document;
      this.#assertWithin(mine, name, grant);
      return this.#view(name, written, { mine, uses: (await this.#uses()).get(name) ?? UNUSED });
    });
  }

  /**
   * Deletes a role; of one of code what the database adds to it.
   *
   * @throws PLINTH_HTTP_NOT_FOUND (404), PLINTH_ADMIN_ROLE_IN_USE (409), PLINTH_ADMIN_GRANTS_MORE (403)
   */
  async remove(caller: ActorUser, id: string): Promise<string> {
    return await this.#changing(async () => {
      const row = await this.#find(id);
      const name = String(row["name"]);
      this.#assertWithin(await this.deps.roles.grantOfAccount(caller), name, grantOf(row));
      const { accounts, invitations } = (await this.#uses()).get(name) ?? UNUSED;
      const isOfCode = this.deps.roles.namesByCode().includes(name);
      if (!isOfCode && accounts + invitations > 0) throw new RoleInUseError({ role: name, accounts, invitations });
      await this.#documents.delete({ documentId: id });
      if (!isOfCode) await this.#forgetInViews(name);
      return name;
    });
  }

  /** One change at a time, also of who has which role. */
  async #changing<Result>(change: () => Promise<Result>): Promise<Result> {
    return await this.app.db.transaction(async () => {
      await this.app.db.lock(ROLES_LOCK);
      return await change();
    });
  }

  /** Past the documents, where another role ends the sessions of who has it: this one has another name only. */
  async #rename(before: string, name: string): Promise<void> {
    const named = [before, name].find((each) => this.deps.roles.namesByCode().includes(each));
    if (named !== undefined) throw new RoleOfCodeError({ role: named });
    // Invitations first: one that is being accepted is an account when this goes on.
    for (const uid of [INVITATION_TYPE, ADMINISTRATOR_TYPE]) {
      const text = `update "${this.app.model.contentTypes.get(uid)?.table}" set role = $2 where role = $1`;
      await this.app.db.query({ text, values: [before, name] });
    }
    const shared = `update "${this.app.model.contentTypes.get(VIEW_TYPE)?.table}" set roles = (
        select jsonb_agg(case when role = $1 then $2 else role end) from jsonb_array_elements_text(roles) role)
      where roles ? $1`;
    await this.app.db.query({ text: shared, values: [before, name] });
  }

  /** Another role of that name is shown nothing that was shared with this one. What no role is left for is its owner's alone. */
  async #forgetInViews(name: string): Promise<void> {
    const tableOf = (uid: string) => `"${this.app.model.contentTypes.get(uid)?.table}"`;
    const left = `update ${tableOf(VIEW_TYPE)} set roles = roles - $1::text, is_shared = jsonb_array_length(roles - $1::text) > 0 where roles ? $1`;
    await this.app.db.query({ text: left, values: [name] });
    const ownerless = `delete from ${tableOf(VIEW_TYPE)} v where not is_shared
      and not exists (select from ${tableOf(ADMINISTRATOR_TYPE)} a where a.document_id = v.account)`;
    await this.app.db.query({ text: ownerless, values: [] });
  }

  async #find(id: string): Promise<Document> {
    const found = await this.#documents.findOne({ documentId: id });
    if (!found) throw new NotFoundError({});
    return found;
  }

  /** How often each role is named. */
  async #uses(): Promise<ReadonlyMap<string, Uses>> {
    const [people, invited] = [ADMINISTRATOR_TYPE, INVITATION_TYPE].map(
      (uid) => this.app.model.contentTypes.get(uid)?.table,
    );
    const text = `select role, count(*) filter (where is_account)::int as accounts, count(*) filter (where not is_account)::int as invitations
      from (select role, true as is_account from "${people}" union all select role, false from "${invited}" where expires_at > $1) named
      group by role`;
    const values = [new Date(this.app.clock.now()).toISOString()];
    const rows = await this.app.db.query<Uses & { role: string }>({ text, values });
    return new Map(rows.map(({ role, accounts, invitations }) => [role, { accounts, invitations }]));
  }

  /** All that a role may do with these items of the database. */
  #total(name: string, grant: readonly GrantItem[]): Grant {
    return mergeGrants(this.deps.roles.byCode(name)?.grant ?? "none", grant as Grant);
  }

  /** @throws PLINTH_ADMIN_GRANTS_MORE (403) */
  #assertWithin(mine: Grant, name: string, grant: readonly GrantItem[]): void {
    const excess = this.deps.roles.findExcess(mine, this.#total(name, grant));
    if (excess) throw new GrantsMoreError({ holder: `The role "${name}"`, ...excess });
  }

  #view(
    name: string,
    row: Document | undefined,
    { mine, uses }: { readonly mine: Grant; readonly uses: Uses },
  ): RoleView {
    const { roles } = this.deps;
    const byCode = roles.byCode(name);
    const grant = row ? grantOf(row) : [];
    return {
      ...{ id: row?.documentId ?? null, name, origin: byCode?.origin ?? null, grant, ...uses },
      description: row ? ((row["description"] ?? null) as string | null) : null,
      byCode: byCode ? (mergeGrants(byCode.grant, "none") as readonly GrantItem[]) : [],
      requiresSecondFactor: row?.["requiresSecondFactor"] === true,
      isRequiredByConfig: roles.isRequiredByConfig(name),
      mayChange: roles.covers(mine, this.#total(name, grant)),
      version: row ? versionOf(row) : null,
    };
  }

  get #documents() {
    return this.app.documents(ROLE_TYPE);
  }
}

const grantOf = (row: Document): readonly GrantItem[] =>
  mergeGrants(row["grant"] as Grant, "none") as readonly GrantItem[];

/** An entity tag of what a role says. */
function versionOf(row: Document): string {
  const { name, description, grant, requiresSecondFactor } = row as unknown as RoleChanges;
  const text = JSON.stringify([name, description, grant, requiresSecondFactor]);
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 16)}"`;
}

const matches = (ifMatch: string, version: string): boolean =>
  ifMatch.split(",").some((tag) => tag.trim() === "*" || tag.trim() === version);

/** The plugin's own: routes ask it. */
export const roleStore: ServiceRef<RoleStore> = serviceRef<RoleStore>("plugin::admin.role-store");
