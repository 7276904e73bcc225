import { createHmac, randomUUID } from "node:crypto";
import {
  type ActorUser,
  type App,
  type Document,
  NotFoundError,
  type SecretList,
  type ServiceRef,
  serviceRef,
} from "@plinth/core";
import { administrators } from "@plinth/plugin-api-tokens";
import { SUPER } from "../access/given-roles.js";
import { roles, ROLES_LOCK } from "../access/roles.js";
import { secretsOf } from "../access/seal.js";
import { hashOf } from "../access/session-key.js";
import type { AdminConfig } from "../config.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { INVITATION_TYPE } from "../content-types/invitation.js";
import { AccountExistsError, LinkInvalidError, UnknownRoleError } from "../errors.js";
import type { Welcome } from "../wire/account.js";
import type { Acceptance, InvitationLook, InvitationView } from "../wire/accounts.js";
import { assertPassword } from "./password-rules.js";

/** Whom a link is for. */
export interface Invitation {
  /** Id of an invitation that this one takes the place of, and that has to be there. */
  readonly replaces?: string;
  readonly email: string;
  readonly role: string;
  /** documentId of the administrator who invites. */
  readonly invitedBy?: string;
  /** Refuses roles that who invites may not give, which they may not take back either; none: every role may be given. */
  readonly assertMayGive?: (role: string) => Promise<void>;
}

/** An invitation with the code of its link, which is known this once. */
export interface IssuedInvitation {
  readonly invitation: InvitationView;
  readonly code: string;
}

const SECOND = 1000;
/** How long the link of the first administrator is valid, in milliseconds. */
const WELCOME_LIFE = 60 * 60 * SECOND;
/** How long one that was not accepted is shown, to be sent again, in milliseconds. */
const KEPT = 30 * 24 * 60 * 60 * SECOND;

/** Two processes that use one link, or make the first one, do it one after the other. */
const LOCK = "admin invitations";

/** Links by which somebody becomes an administrator, each for one use. */
export class Invitations {
  constructor(
    private readonly app: App,
    private readonly config: AdminConfig,
  ) {}

  /** The code of the link for the first administrator, the same in all processes; undefined while there is one. */
  async welcomeCode(): Promise<string | undefined> {
    return this.app.db.transaction(async () => {
      await this.app.db.lock(LOCK);
      if (await this.#hasAdministrators()) return undefined;
      const open = await this.#documents.findFirst({
        ...{ filters: { email: { $null: true }, ...this.#open() }, withPrivate: true },
      });
      const codes = open ? this.#codesOf(String(open["seed"])) : [];
      // None where the secret was replaced at once: that link can no longer be shown.
      const code = codes.find((each) => hashOf(each) === open?.["code"]);
      return code ?? (await this.#make({ email: null, role: SUPER }, WELCOME_LIFE)).code;
    });
  }

  /**
   * A link for somebody who is not an administrator yet; an earlier one for the same address is not valid any more.
   *
   * @throws PLINTH_HTTP_NOT_FOUND (404) where the one that it replaces is gone, PLINTH_ADMIN_ACCOUNT_EXISTS (409),
   * PLINTH_ADMIN_UNKNOWN_ROLE (404), PLINTH_INPUT_INVALID (400) for what is no address, and as `assertMayGive`, also for the role of
   * the earlier one
   */
  async invite({ email: given, role, invitedBy, assertMayGive, replaces }: Invitation): Promise<IssuedInvitation> {
    const email = given.toLowerCase();
    return await this.app.db.transaction(async () => {
      await this.app.db.lock(LOCK, ROLES_LOCK);
      if (replaces !== undefined) await this.find(replaces);
      const known = await this.app.service(roles).names();
      if (!known.includes(role)) throw new UnknownRoleError({ role, known });
      await assertMayGive?.(role);
      if (await this.#people.findFirst({ filters: { email } })) throw new AccountExistsError({ email });
      for (const earlier of await this.#documents.findMany({ filters: { email }, pagination: { limit: -1 } })) {
        await assertMayGive?.(String(earlier["role"]));
        await this.#documents.delete({ documentId: earlier.documentId });
      }
      const { row, code } = await this.#make(
        { email, role, invitedBy: invitedBy ?? null },
        this.config.invitationLife * SECOND,
      );
      return { invitation: await this.#view(row), code };
    });
  }

  /** Those that were not accepted, the latest first; of the first administrator there is none. */
  async list(): Promise<readonly InvitationView[]> {
    const filters = { email: { $notNull: true } };
    const found = await this.#documents.findMany({ filters, sort: "id:desc", pagination: { limit: -1 } });
    return Promise.all(found.map((row) => this.#view(row)));
  }

  /** @throws PLINTH_HTTP_NOT_FOUND (404) */
  async find(id: string): Promise<InvitationView> {
    const found = await this.#documents.findOne({ documentId: id });
    if (!found || found["email"] === null) throw new NotFoundError({});
    return await this.#view(found);
  }

  /** Takes an invitation back. @throws PLINTH_HTTP_NOT_FOUND (404) */
  async revoke(id: string): Promise<void> {
    await this.app.db.transaction(async () => {
      // Who is accepting it is an administrator first, and then it is not found.
      await this.app.db.lock(LOCK);
      await this.#documents.delete({ documentId: (await this.find(id)).id });
    });
  }

  /** Whom a code is for. @throws PLINTH_ADMIN_LINK_INVALID (403) */
  async look(code: string): Promise<InvitationLook> {
    const { email, role } = (await this.#find(code, false)) as unknown as InvitationLook;
    return { email, role };
  }

  /**
   * Makes the administrator who was invited. Nothing changes, and the link stays valid, where something is wrong.
   *
   * @throws PLINTH_ADMIN_LINK_INVALID (403), PLINTH_ADMIN_INVALID, PLINTH_INPUT_INVALID (400) for a password that is weak or too long
   */
  async accept({ code, name, password }: Acceptance): Promise<ActorUser> {
    return await this.#use(code, false, (invitation) =>
      this.#create(invitation, { name, password, email: String(invitation["email"]) }),
    );
  }

  /** Makes the first administrator. @throws as `accept` */
  async acceptFirst({ code, ...given }: Welcome): Promise<ActorUser> {
    return await this.#use(code, true, (invitation) => this.#create(invitation, given));
  }

  async #use(code: string, isFirst: boolean, work: (invitation: Document) => Promise<ActorUser>): Promise<ActorUser> {
    // Guesses take no lock.
    const { documentId } = await this.#find(code, isFirst);
    return this.app.db.transaction(async () => {
      await this.app.db.lock(LOCK);
      // A change of the role's name waits for this row, and then finds the account.
      await this.#documents.lock(documentId);
      const invitation = await this.#find(code, isFirst);
      const user = await work(invitation);
      await this.#documents.delete({ documentId });
      return user;
    });
  }

  async #create(invitation: Document, { name, email, password }: Omit<Welcome, "code">): Promise<ActorUser> {
    assertPassword(this.config, password, { email, name });
    const { id, documentId } = await this.app.service(administrators).create(email, password);
    await this.#people.update({ documentId, data: { name, role: invitation["role"] } });
    return { id, documentId };
  }

  /** @param isFirst - whether it has to be the link of the first administrator. */
  async #find(code: string, isFirst: boolean): Promise<Document> {
    const found = await this.#documents.findFirst({
      ...{ filters: { code: hashOf(code), ...this.#open() }, withPrivate: true },
    });
    if (!found || (found["email"] === null) !== isFirst || (isFirst && (await this.#hasAdministrators())))
      throw new LinkInvalidError({});
    return found;
  }

  async #make(
    invitation: { readonly email: string | null; readonly role: string; readonly invitedBy?: string | null },
    life: number,
  ): Promise<{ readonly row: Document; readonly code: string }> {
    const now = this.app.clock.now();
    await this.#deleteOld(now);
    const seed = randomUUID();
    const [code] = this.#codesOf(seed);
    const expiresAt = new Date(now + life).toISOString();
    const row = await this.#documents.create({ data: { ...invitation, seed, code: hashOf(code), expiresAt } });
    return { row, code };
  }

  async #deleteOld(now: number): Promise<void> {
    const table = this.app.model.contentTypes.get(INVITATION_TYPE)?.table;
    const text = `delete from "${table}" where expires_at < $1 or (expires_at < $2 and email is null)`;
    const times = [now - KEPT, now].map((time) => new Date(time).toISOString());
    await this.app.db.query({ text, values: times });
  }

  async #view(row: Document): Promise<InvitationView> {
    const { email, role, createdAt, expiresAt, invitedBy } = row as unknown as InvitationView;
    const by = invitedBy === null ? null : await this.#people.findOne({ documentId: invitedBy });
    const name = by && String(by["name"] ?? by["email"]);
    return { id: row.documentId, email, role, createdAt, expiresAt, invitedBy: name };
  }

  /** By each secret, the newest first. Every process finds the same codes, and the database does not have them. */
  #codesOf(seed: string): SecretList {
    const codeOf = (secret: string) =>
      createHmac("sha256", secret).update(`admin invitation ${seed}`).digest("base64url");
    const [newest, ...older] = secretsOf(this.app);
    return [codeOf(newest), ...older.map(codeOf)];
  }

  #open() {
    return { expiresAt: { $gt: new Date(this.app.clock.now()).toISOString() } };
  }

  async #hasAdministrators(): Promise<boolean> {
    return (await this.#people.findFirst({})) !== null;
  }

  get #people() {
    return this.app.documents(ADMINISTRATOR_TYPE);
  }

  get #documents() {
    return this.app.documents(INVITATION_TYPE);
  }
}

/** The plugin's own: links for new administrators. */
export const invitations: ServiceRef<Invitations> = serviceRef<Invitations>("plugin::admin.invitations");
