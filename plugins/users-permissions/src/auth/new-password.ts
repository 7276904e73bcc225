import type { App } from "@plinth/core";
import * as v from "@plinth/core/valibot";
import { password as newPassword } from "../body/bodies.js";
import { checkBody } from "../body/check-body.js";
import type { Account } from "../contract.js";
import { BodyInvalidError } from "../errors.js";
import { assertAllowedPassword } from "../users/password-rules.js";

const passwordBody = v.object({ password: newPassword });

/**
 * Checks that both texts are the same.
 *
 * @throws PLINTH_USERS_BODY_INVALID (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export function assertTypedTwice({ password, passwordConfirmation }: NewPassword): void {
  if (password === passwordConfirmation) return;
  const message = "Passwords do not match";
  const problem = { path: ["passwordConfirmation"], message, name: "ValidationError", value: passwordConfirmation };
  throw new BodyInvalidError({ errors: [problem] });
}

/** Checks a password against the rules, after its owner is authenticated. @throws PLINTH_USERS_BODY_INVALID (400) */
export function assertAllowed(app: App, { password }: NewPassword, { username, email }: Account): void {
  checkBody({ password }, passwordBody);
  assertAllowedPassword(app, password, [username, email]);
}

interface NewPassword {
  readonly password: string;
  readonly passwordConfirmation: string;
}
