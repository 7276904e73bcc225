import type { Actor } from "@plinth/core";
import { createAbility } from "@plinth/core/access";

/** The actor of administrators: the REST below `/admin` requires it, and it has no permissions in the content API. */
export const administrator: Actor = { kind: "admin", ability: createAbility("none") };
