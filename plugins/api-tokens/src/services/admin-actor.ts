import type { Actor } from "@plinth/core";
import { createAbility } from "@plinth/core/access";

/** Who manages tokens: the REST below `/admin` asks for this kind, and the content API gives it nothing. */
export const administrator: Actor = { kind: "admin", ability: createAbility("none") };
