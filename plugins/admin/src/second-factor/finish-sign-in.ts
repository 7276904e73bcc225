import type { App, HttpContext } from "@plinth/core";
import type { AuthenticatedAdministrator } from "@plinth/plugin-api-tokens";
import type { FactorProof } from "../wire/second-factor.js";
import { TicketInvalidError, WrongCodeError } from "./errors.js";
import { accountOfHalf, type HalfSession, readHalf, spendHalf } from "./half-session.js";
import { limitCodes } from "./limit-codes.js";
import { accountOfPasskey } from "./passkeys.js";
import { secondFactors } from "./second-factors.js";
import { siteOf } from "./site.js";

/** Who has signed in as a whole. */
export interface Entered {
  readonly user: AuthenticatedAdministrator;
  readonly stay: boolean;
}

/**
 * Does the second half of signing in, or all of it by a passkey that says who it is. What was right counts once.
 *
 * @throws PLINTH_ADMIN_TICKET_INVALID (403), PLINTH_ADMIN_SECOND_FACTOR_WRONG (401), PLINTH_ADMIN_TOO_MANY_CODES (429)
 */
export async function finishSignIn(app: App, ctx: HttpContext, proof: FactorProof): Promise<Entered> {
  const half = readHalf(app, ctx);
  if (!half) throw new TicketInvalidError({});
  return proof.passkey ? await byPasskey(app, ctx, proof.passkey) : await byCode(app, ctx, half, proof);
}

async function byCode(
  app: App,
  ctx: HttpContext,
  half: HalfSession,
  { totp, recovery }: FactorProof,
): Promise<Entered> {
  const user = await accountOfHalf(app, half);
  if (!user) throw new TicketInvalidError({});
  const attempt = { ip: ctx.ip, account: user, retryAfter: retryAfterOf(ctx) };
  const used = await limitCodes(app, attempt, () =>
    app.service(secondFactors).spendCode(user, String(totp ?? recovery)),
  );
  if (!used) throw new WrongCodeError({});
  if (!(await spendHalf(app, ctx))) throw new TicketInvalidError({});
  return { user, stay: half.stay };
}

/** A challenge is answered once, whether or not it is answered right. */
async function byPasskey(app: App, ctx: HttpContext, response: object): Promise<Entered> {
  const half = await spendHalf(app, ctx);
  const { challenge } = half ?? {};
  if (!half || challenge === undefined) throw new TicketInvalidError({});
  const expected = half.account ? await accountOfHalf(app, half) : undefined;
  if (half.account && !expected) throw new TicketInvalidError({});
  const attempt = { ip: ctx.ip, account: undefined, retryAfter: retryAfterOf(ctx) };
  const found = await limitCodes(app, attempt, () =>
    accountOfPasskey(app, { response, challenge, site: siteOf(app, ctx) }),
  );
  if (!found || (expected && expected.documentId !== found.documentId)) throw new WrongCodeError({});
  return { user: expected ?? found, stay: half.stay };
}

/** Tells a client how long to wait, in seconds. */
export const retryAfterOf =
  (ctx: HttpContext) =>
  (seconds: number): void =>
    ctx.set("Retry-After", String(seconds));
