import type { Ability } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import { abilityOnFiles, actionOnFiles, type FileAction } from "../services/file-ability.js";

/** Asks for an action on files, or for a route's action that stands for it. @throws PLINTH_ACCESS_FORBIDDEN (403) */
export function assertOnFiles(ability: Ability, action: FileAction): void {
  assertCan(abilityOnFiles(ability), [actionOnFiles(action)]);
}
