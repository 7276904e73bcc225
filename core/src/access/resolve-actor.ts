import type { App } from "../kernel/app.js";
import { hook } from "../kernel/hook.js";
import type { Actor } from "./ability.js";
import type { WriteActor } from "./origin.js";

/**
 * Who keeps callers says what one may do today: for what is done later on behalf of somebody who has asked for it. Handlers
 * answer for the kinds of their own, and nothing for a caller who is gone, blocked or has expired.
 */
export const resolveActor = hook.bail<WriteActor, Actor>(
  "access:resolveActor",
  "Something is done later for a caller, `{ kind, id }`: who they are today, and what they may do.",
);

/**
 * Finds a caller again whose name was kept (`WriteOrigin.actor`), with what they may do now.
 *
 * @returns undefined for one who is gone, and for one who has no account, such as the bearer of a configured token
 */
export async function findActor(app: App, { kind, id }: WriteActor): Promise<Actor | undefined> {
  if (kind === "public") return await app.auth.authenticate(undefined);
  return await app.hooks.bail(resolveActor, { kind, id });
}
