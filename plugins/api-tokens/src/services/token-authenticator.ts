import { type Actor, type App, type SecretList, serviceRef } from "@plinth/core";
import { saltsOf, type TokensConfig } from "../config.js";
import { TOKEN_TYPE } from "../content-types.js";
import { TokenExpiredError } from "../errors.js";
import { hashAccessKey, isAccessKey } from "./access-key.js";
import { administrator } from "./administrators.js";
import { type KnownToken, KnownTokens } from "./known-tokens.js";

/** Finds the caller that an API token belongs to. */
export interface TokenAuthenticator {
  /** The caller of the content API. @throws PLINTH_TOKENS_EXPIRED (401) */
  authenticate(bearer: string): Promise<Actor | undefined>;
  /** The caller of the administrators' REST API: no account, but with the document id of the token. @throws PLINTH_TOKENS_EXPIRED (401) */
  authenticateAdmin(bearer: string): Promise<Actor | undefined>;
  /** The caller of the content API that a token is, by its document id; undefined for one that is gone or has expired. */
  recall(documentId: string): Promise<Actor | undefined>;
  /** Listens for changed tokens. */
  open(): void;
  /** Writes the last uses that are not written yet. */
  close(): Promise<void>;
}

/** The plugin's own: strategies ask it. */
export const tokenAuthenticator = serviceRef<TokenAuthenticator>("plugin::api-tokens.token-authenticator");

/**
 * Makes the authenticator. The salts are read when the first key comes, so that an authenticator can be closed after a start
 * that failed because there is none.
 */
export function createTokenAuthenticator(app: App, config: TokensConfig): TokenAuthenticator {
  const tokens = new KnownTokens(app);
  const uses = new LastUses(app, config.lastUseInterval * 1000);
  let salts: SecretList | undefined;
  let leave: (() => void) | undefined;
  const recognise = async (bearer: string, choose: (token: KnownToken) => Actor | undefined) => {
    if (!isAccessKey(bearer)) return undefined;
    salts ??= saltsOf(app, config);
    const [newest, ...older] = salts;
    const hash = hashAccessKey(newest, bearer);
    const token = await tokens.find(hash, () => older.map((salt) => hashAccessKey(salt, bearer)));
    const actor = token && choose(token);
    if (!token || !actor) return undefined;
    if (token.expiresAt <= app.clock.now()) throw new TokenExpiredError({});
    uses.note(token.id);
    return actor;
  };
  return {
    authenticate: (bearer) => recognise(bearer, ({ actor }) => actor),
    authenticateAdmin: (bearer) =>
      recognise(bearer, ({ isAdmin, documentId: id }) => (isAdmin ? { ...administrator, id } : undefined)),
    recall: (documentId) => tokens.recall(documentId),
    open: () => {
      leave ??= tokens.listen();
    },
    close: async () => {
      leave?.();
      await uses.flush();
    },
  };
}

/** Records when tokens were used, and writes that in batches: requests do not wait for it. */
class LastUses {
  /** Of tokens that exist: some 100 bytes for each that was used in an interval. */
  readonly #pending = new Map<number, Date>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param interval - how long uses are collected, in milliseconds. */
  constructor(
    private readonly app: App,
    private readonly interval: number,
  ) {}

  /** Notes that a token is used now. */
  note(id: number): void {
    this.#pending.set(id, new Date(this.app.clock.now()));
    this.#timer ??= setTimeout(() => void this.flush(), this.interval).unref();
  }

  /** Writes what was noted; a failure is logged, because the next use writes it again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = [...this.#pending].sort(([a], [b]) => a - b);
    this.#pending.clear();
    if (uses.length > 0) this.#writing = this.#writing.then(() => this.#write(uses));
    await this.#writing;
  }

  async #write(uses: readonly (readonly [number, Date])[]): Promise<void> {
    const table = this.app.model.contentTypes.get(TOKEN_TYPE)?.table;
    const text = `update "${table}" token set last_used_at = greatest(token.last_used_at, used.at)
      from unnest($1::int8[], $2::timestamptz[]) used (id, at) where token.id = used.id`;
    try {
      await this.app.db.query({ text, values: [uses.map(([id]) => id), uses.map(([, at]) => at.toISOString())] });
    } catch (error) {
      this.app.log.warn({ err: error }, "The last use of tokens could not be written");
    }
  }
}
