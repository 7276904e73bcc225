/** Asks whether a caller may hand on rights: everything that gives them to others asks here. */
import type { App } from "../kernel/app.js";
import { hook } from "../kernel/hook.js";
import type { Actor } from "./ability.js";
import type { Grant } from "./grant.js";

/** Rights of the content API that a caller gives, changes, or is shown a secret of. */
export interface Granting {
  /** The caller. */
  readonly actor: Actor;
  /** All that the rights are. */
  readonly grant: Grant;
  /** The thing or person with the rights, as a message begins with it: `The API token "CI"`. */
  readonly holder: string;
}

/**
 * A plugin that limits callers by roles compares the grant with the role of the caller, and throws where it is more. The admin page
 * does so for administrators; no other caller reaches an endpoint that asks. Without such a plugin a caller who reaches the endpoint
 * may grant everything.
 */
export const beforeGrant = hook.series<Granting>(
  "access:beforeGrant",
  "A caller gives rights to a token, a role, an account or an endpoint, changes them, or gets a secret of one that has them.",
);

/**
 * Replaces a grant by its worth: without what everybody may do anyhow, and everything where an action in it gives its holder more
 * rights.
 */
export const transformGivenGrant = hook.waterfall<Grant, object>(
  "access:transformGivenGrant",
  "A grant is compared with the rights of the caller who gives it; plugins with public actions leave those out.",
);

/**
 * Refuses a caller who gives more rights than they have. To be called in the transaction of the change, for the rights before it and
 * after it: a caller who changes a thing can use its rights.
 *
 * @throws what the plugin with the roles throws: PLINTH_ADMIN_GRANTS_MORE (403)
 */
export async function assertMayGrant({ hooks }: Pick<App, "hooks">, { grant, ...giving }: Granting): Promise<void> {
  if (!hooks.has(beforeGrant)) return;
  await hooks.series(beforeGrant, { ...giving, grant: await hooks.waterfall(transformGivenGrant, grant, {}) });
}
