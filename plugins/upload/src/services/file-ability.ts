import type { Ability } from "@plinth/core";
import { allowAction } from "@plinth/core/access";
import { FILE_TYPE } from "../content-types.js";

/** What can be done with files, and limited by rules. */
export type FileAction = "find" | "findOne" | "create" | "update" | "delete";

/** The action on files of a name: `plugin::upload.file.update`. */
export function actionOnFiles(action: FileAction): string {
  return `${FILE_TYPE}.${action}`;
}

/** The action for adding files. */
export const UPLOAD = "plugin::upload.content-api.upload";

/** The action for deleting files. */
export const DESTROY = "plugin::upload.content-api.destroy";

/**
 * The routes' own actions, and the action on files that each of them stands for. None stands for `update`: a caller who
 * may add files may not overwrite those of others, unless that is granted by its name.
 */
const STANDS_FOR: readonly (readonly [route: string, action: FileAction])[] = [
  ["plugin::upload.content-api.find", "find"],
  ["plugin::upload.content-api.findPage", "find"],
  ["plugin::upload.content-api.findOne", "findOne"],
  ["plugin::upload.content-api.findUses", "findOne"],
  [UPLOAD, "create"],
  [DESTROY, "delete"],
];

/**
 * The permissions of an actor on files: the actions on the content-type, with their rules, and those that the routes'
 * own actions stand for. Such an action reaches every file, unless a rule on the one that it stands for says which.
 */
export function abilityOnFiles(ability: Ability): Ability {
  const granted = STANDS_FOR.filter(([route]) => ability.can(route));
  return granted.reduce((known, [, action]) => allowAction(known, actionOnFiles(action)), ability);
}

/** The action by which an actor reads a file: `findOne`, else `find`; undefined when neither is granted. */
export function readActionOf(ability: Ability): FileAction | undefined {
  return (["findOne", "find"] as const).find((action) => ability.can(actionOnFiles(action)));
}
