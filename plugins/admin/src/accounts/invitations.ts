import { createHmac, randomUUID } from "node:crypto";
import { type ActorUser, type App, type Document, type SecretList, type ServiceRef, serviceRef } from "@plinth/core";
import { adminSecretsOf, administrators, type TokensConfig } from "@plinth/plugin-api-tokens";
import { SUPER } from "../access/given-roles.js";
import { roles } from "../access/roles.js";
import { hashOf } from "../access/session-key.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { INVITATION_TYPE } from "../content-types/invitation.js";
import { AccountExistsError, InvalidRequestError, LinkInvalidError, UnknownRoleError } from "../errors.js";
import type { Welcome } from "../wire/account.js";

/** Whom a link is for. */
export interface Invitation {
  readonly email: string;
  readonly role: string;
}

/** How long a link is valid, in milliseconds. */
const LIFE = 60 * 60 * 1000;

/** Two processes that use one link, or make the first one, do it one after the other. */
const LOCK = "admin invitations";

/** Links by which somebody becomes an administrator, each for one use within an hour. */
export class Invitations {
  constructor(private readonly app: App) {}

  /** The code of the link for the first administrator, the same in all processes; undefined while there is one. */
  async welcomeCode(): Promise<string | undefined> {
    return this.app.db.transaction(async () => {
      await this.app.db.lock(LOCK);
      if (await this.#hasAdministrators()) return undefined;
      const open = await this.#documents.findFirst({
        filters: { email: { $null: true }, expiresAt: { $gt: new Date(this.app.clock.now()).toISOString() } },
      });
      const codes = open ? this.#codesOf(String(open["seed"])) : [];
      // None where the secret was replaced at once: that link can no longer be shown.
      const code = codes.find((each) => hashOf(each) === open?.["code"]);
      return code ?? this.#make({ email: null, role: SUPER });
    });
  }

  /**
   * The code of a link for somebody who is not an administrator yet.
   *
   * @throws PLINTH_ADMIN_ACCOUNT_EXISTS (409), PLINTH_ADMIN_UNKNOWN_ROLE (404)
   */
  async invite({ email, role }: Invitation): Promise<string> {
    const known = await this.app.service(roles).names();
    if (!known.includes(role)) throw new UnknownRoleError({ role, known });
    const all = await this.app.service(administrators).list();
    if (all.some((each) => each.email === email.toLowerCase())) throw new AccountExistsError({ email });
    return this.#make({ email: email.toLowerCase(), role });
  }

  /**
   * Makes the administrator whom a link is for. Nothing changes, and the link stays valid, where something is wrong.
   *
   * @throws PLINTH_ADMIN_LINK_INVALID (403), PLINTH_ADMIN_INVALID (400) for the address of somebody else;
   * PLINTH_TOKENS_INVALID, PLINTH_INPUT_INVALID (400) for a password that is weak, too short or too long
   */
  async accept({ code, name, email, password }: Welcome): Promise<ActorUser> {
    // Guesses take no lock.
    await this.#find(code);
    return this.app.db.transaction(async () => {
      await this.app.db.lock(LOCK);
      const invitation = await this.#find(code);
      if (invitation["email"] !== null && invitation["email"] !== email.toLowerCase())
        throw new InvalidRequestError({ errors: [{ path: "email", message: "must be the address that was invited" }] });
      const { id, documentId } = await this.app.service(administrators).create(email, password);
      const data = { name, role: invitation["role"] };
      await this.app.documents(ADMINISTRATOR_TYPE).update({ documentId, data });
      await this.#documents.delete({ documentId: invitation.documentId });
      return { id, documentId };
    });
  }

  async #find(code: string): Promise<Document> {
    const found = await this.#documents.findFirst({
      filters: { code: hashOf(code), expiresAt: { $gt: new Date(this.app.clock.now()).toISOString() } },
    });
    if (!found || (found["email"] === null && (await this.#hasAdministrators()))) throw new LinkInvalidError({});
    return found;
  }

  async #make(invitation: { readonly email: string | null; readonly role: string }): Promise<string> {
    const now = this.app.clock.now();
    await this.#deleteExpired(now);
    const seed = randomUUID();
    const [code] = this.#codesOf(seed);
    const expiresAt = new Date(now + LIFE).toISOString();
    await this.#documents.create({ data: { ...invitation, seed, code: hashOf(code), expiresAt } });
    return code;
  }

  async #deleteExpired(now: number): Promise<void> {
    const table = this.app.model.contentTypes.get(INVITATION_TYPE)?.table;
    const text = `delete from "${table}" where expires_at < $1`;
    await this.app.db.query({ text, values: [new Date(now).toISOString()] });
  }

  /** By each secret, the newest first. Every process finds the same codes, and the database does not have them. */
  #codesOf(seed: string): SecretList {
    const secrets = adminSecretsOf(this.app, this.app.plugin("api-tokens").config as TokensConfig);
    const codeOf = (secret: string) =>
      createHmac("sha256", secret).update(`admin invitation ${seed}`).digest("base64url");
    const [newest, ...older] = secrets;
    return [codeOf(newest), ...older.map(codeOf)];
  }

  async #hasAdministrators(): Promise<boolean> {
    return (await this.app.documents(ADMINISTRATOR_TYPE).findFirst({})) !== null;
  }

  get #documents() {
    return this.app.documents(INVITATION_TYPE);
  }
}

/** The plugin's own: links for new administrators. */
export const invitations: ServiceRef<Invitations> = serviceRef<Invitations>("plugin::admin.invitations");
