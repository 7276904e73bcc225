import { randomInt } from "node:crypto";
import { type InputContext, type RegisterContext, transformInput } from "@plinth/core";
import { USER } from "../content-types/user.js";

type Data = Readonly<Record<string, unknown>>;

const MAX_VERSION = 2 ** 31;

/**
 * Keeps the rules of users, whoever writes them: an address is in lower case, and a new password or being blocked ends
 * all sessions. Versions are drawn by lot: nobody needs the old one, and no user ever gets that of another.
 */
export function keepUserRules({ on }: Pick<RegisterContext<object>, "on">): void {
  on(transformInput, (data, context) => (context.uid === USER ? applyRules(data, context) : data));
}

/** A version that no token has. */
export function newSessionVersion(): number {
  return randomInt(1, MAX_VERSION);
}

function applyRules(data: Data, { operation }: InputContext): Data {
  const { email, password, blocked } = data;
  const endsSessions = operation === "create" || (password !== undefined && password !== null) || blocked === true;
  return {
    ...data,
    ...(typeof email === "string" ? { email: email.toLowerCase() } : {}),
    ...(endsSessions ? { sessionVersion: newSessionVersion() } : {}),
  };
}
