import type { Handler, HttpContext } from "@plinth/core";
import type { Administrators } from "../contract.js";
import { InvalidTokenError } from "../errors.js";
import type { LoginLimit } from "../services/login-limit.js";

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

/** Texts only: an object in the place of one could mean a filter somewhere below. */
function readCredentials(ctx: HttpContext): { readonly email: string; readonly password: string } {
  const { email, password } = Object(ctx.request.body) as Readonly<Record<string, unknown>>;
  const errors = Object.entries({ email, password })
    .filter(([, value]) => typeof value !== "string" || value === "")
    .map(([path]) => ({ path, message: "must be a string that is not empty" }));
  if (errors.length > 0) throw new InvalidTokenError({ errors });
  return { email: email as string, password: password as string };
}
