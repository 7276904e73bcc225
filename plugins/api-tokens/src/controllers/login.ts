import type { Handler, HttpContext } from "@plinth/core";
import { parseOptions, secret, text } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import type { Administrators } from "../contract.js";
import { InvalidTokenError } from "../errors.js";
import type { LoginLimit } from "../services/login-limit.js";

/** Strings only: an object could become a filter further down. */
export const loginBody = v.object({ email: text(), password: v.pipe(text(), secret()) });

/** Makes `POST /admin/login`: `{ email, password }` becomes `{ token }`. */
export function createLogin(administrators: () => Administrators, limit: LoginLimit): Handler {
  return async (ctx) => {
    ctx.set("Cache-Control", "no-store");
    const { email, password } = readCredentials(ctx);
    const retryAfter = (seconds: number) => ctx.set("Retry-After", String(seconds));
    const login = () => administrators().login(email, password);
    return { token: await limit.guard({ address: ctx.ip, email, retryAfter }, login) };
  };
}

/** @throws PLINTH_TOKENS_INVALID (400) */
function readCredentials(ctx: HttpContext): v.InferOutput<typeof loginBody> {
  const { value, problems } = parseOptions(loginBody, Object(ctx.request.body), "");
  if (problems) throw new InvalidTokenError({ errors: problems });
  return value;
}
