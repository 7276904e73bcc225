import type { checkBody } from "../body/check-body.js";
import { BodyInvalidError } from "../errors.js";

/** What a new password has to be like, and that it was typed twice. */
export const newPasswordRules = {
  passwordConfirmation: { kind: "string", required: true },
  password: { kind: "password", required: true, minLength: 6 },
} as const;

/**
 * Checks that both texts are the same.
 *
 * @throws PLINTH_USERS_BODY_INVALID (400)
 * @source corpus 20 "reset password mismatch"
 */
export function assertTypedTwice({ password, passwordConfirmation }: TypedTwice): void {
  if (password === passwordConfirmation) return;
  const message = "Passwords do not match";
  const problem = { path: ["passwordConfirmation"], message, name: "ValidationError", value: passwordConfirmation };
  throw new BodyInvalidError({ errors: [problem] });
}

interface TypedTwice {
  readonly password: string;
  readonly passwordConfirmation: string;
}

/** The fields of a body with a new password in it. */
export type NewPassword = ReturnType<typeof checkBody<typeof newPasswordRules>>;
