import type { App, HttpContext } from "@plinth/core";
import * as v from "@plinth/core/valibot";
import { WrongPasswordError } from "../auth/errors.js";
import { LOCAL } from "../auth/auth-tools.js";
import { ownerBody } from "../body/bodies.js";
import { checkBody, isRecord } from "../body/check-body.js";
import { type Account, users } from "../contract.js";
import { rateLimits } from "../rate-limit/rate-limits.js";

/** Counted apart from other writes: each new address costs a mail, and may be a guess at the password. */
const ACTION = "plugin::users-permissions.user.update-address";

/**
 * Checks what users change about themselves. Another e-mail address is counted by the rate limit; `currentPassword` has
 * to be right where it is sent, and has to be sent where `emailChange.requirePassword` says so. Users cannot set
 * `confirmed` of themselves.
 *
 * @param body - of a write of the user with this id, by any caller.
 * @returns what may be written of the body.
 * @throws PLINTH_USERS_RATE_LIMITED (429), PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_WRONG_PASSWORD (400)
 */
export async function checkOwnChange(app: App, ctx: HttpContext, id: number, body: unknown): Promise<unknown> {
  if (!isRecord(body) || ctx.state.actor.user?.id !== id) return body;
  const { emailConfirmation } = app.plugin("users-permissions").config;
  const account = await app.service(users).findById(id);
  if (account && isNewAddress(account, body["email"])) await assertOwner(app, ctx, account, body);
  if (!emailConfirmation.enabled) return body;
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== "confirmed"));
}

function isNewAddress(account: Account, email: unknown): boolean {
  return typeof email === "string" && email.toLowerCase() !== account.email;
}

async function assertOwner(app: App, ctx: HttpContext, account: Account, body: object): Promise<void> {
  await app.service(rateLimits).count(ctx, { action: ACTION, account: undefined });
  // A user of another provider has no password here.
  if (account.provider !== LOCAL) return;
  const required = app.plugin("users-permissions").config.emailChange.requirePassword;
  const { currentPassword } = checkBody(body, required ? ownerBody : v.partial(ownerBody));
  if (currentPassword === undefined) return;
  if (!(await app.service(users).verifyPassword(account, currentPassword))) throw new WrongPasswordError({});
}
