import {
  type Ability,
  type Actor,
  type App,
  ForbiddenError,
  type SecretList,
  serviceRef,
  type ServiceRef,
} from "@plinth/core";
import { NOTHING } from "@plinth/core/access";
import { adminSecretsOf, type TokensConfig } from "@plinth/plugin-api-tokens";
import type { KnownSession } from "../access/known-sessions.js";
import { sessions } from "../access/sessions.js";
import type { AdminConfig } from "../config.js";
import { PreviewEndedError } from "./errors.js";
import { isPreviewToken, type PreviewClaims, readPreviewToken, signPreviewToken } from "./preview-token.js";

/** The action of the endpoint that a preview reads its document by; no role has it, a token brings it. */
export const READ_PREVIEW = "plugin::admin.preview.read";

/** The caller of a request with a preview token. */
export interface PreviewActor extends Actor {
  readonly preview: { readonly claims: PreviewClaims; readonly session: KnownSession };
}

const SECOND = 1000;

/**
 * Preview tokens: signed with the secrets of administrators' sessions, and good as long as the session that they were made
 * in. Nothing is stored, so every process knows them.
 */
export class Previews {
  #known: SecretList | undefined;

  constructor(
    private readonly app: App,
    private readonly config: AdminConfig["preview"],
  ) {}

  /** Makes a token of a session. */
  issue(session: KnownSession, document: Pick<PreviewClaims, "uid" | "documentId" | "locale">) {
    const expiresAt = this.app.clock.now() + this.config.life * SECOND;
    const [newest] = this.#secrets;
    const token = signPreviewToken({ ...document, session: session.handle, expiresAt }, newest);
    return { token, expiresAt: new Date(expiresAt).toISOString() };
  }

  /**
   * The caller that a bearer is; undefined for other bearers. They may what the public may read, and read their document.
   *
   * @throws PLINTH_ADMIN_PREVIEW_ENDED (401)
   */
  async authenticate(bearer: string): Promise<PreviewActor | undefined> {
    const claims = isPreviewToken(bearer) ? readPreviewToken(bearer, this.#secrets) : undefined;
    if (!claims) return undefined;
    const isOver = claims.expiresAt <= this.app.clock.now();
    const session = isOver ? undefined : await this.app.service(sessions).findOpen(claims.session);
    if (!session) throw new PreviewEndedError({});
    const { ability } = await this.app.auth.authenticate(undefined);
    return { kind: "preview", ability: onlyReading(ability), preview: { claims, session } };
  }

  get #secrets(): SecretList {
    this.#known ??= adminSecretsOf(this.app, this.app.plugin("api-tokens").config as TokensConfig);
    return this.#known;
  }
}

/** The plugin's own: the strategy and the routes ask it. */
export const previews: ServiceRef<Previews> = serviceRef<Previews>("plugin::admin.previews");

/** What a token says, of a caller who has one. @throws PLINTH_ACCESS_FORBIDDEN (403) for others, such as tokens with `*` */
export function previewOf(actor: Actor): PreviewActor["preview"] {
  if (!("preview" in actor)) throw new ForbiddenError({});
  return (actor as PreviewActor).preview;
}

const READS = /\.(?:find|findOne)$/;

/** An ability of which reading is left: a token that a front end loses writes nothing. */
function onlyReading(ability: Ability): Ability {
  const can = (action: string) => READS.test(action) && ability.can(action);
  return {
    key: `${ability.key}+preview`,
    values: ability.values,
    can: (action) => action === READ_PREVIEW || can(action),
    reachOf: (action) => (can(action) ? ability.reachOf(action) : NOTHING),
  };
}
