import type { Ability, QueryObject } from "@plinth/core";
import { FOLDER_TYPE } from "../content-types.js";
import { UnknownGroupError } from "../errors.js";
import { abilityOnFiles, actionOnFiles } from "../services/file-ability.js";

/** Start of the types of a group of `allowedTypes`; `files` is everything else. */
const GROUPS = { images: "image/", videos: "video/", audios: "audio/" } as const;

const OTHERS = "files";
const NAMES = [...Object.keys(GROUPS), OTHERS];

/** Attributes that a search looks into. */
const SEARCHED = ["name", "alternativeText", "caption"];

/**
 * The conditions of a list of files on the admin page.
 *
 * @param query - `folder`: the documentId of one, or `top`; `_q`: a text in the name, the alternative text or the caption; `types`: as `allowedTypes` of a media
 * attribute, with commas.
 * @param ability - of the caller: a search looks into no attribute that they may not read.
 * @throws PLINTH_UPLOAD_GROUP_UNKNOWN (400)
 */
export function filtersOf({ _q, types, folder }: QueryObject, ability: Ability): object {
  return { $and: [folderOf(folder, ability), searchOf(_q, ability), typesOf(types)] };
}

/** No row is so. */
const NOTHING = { id: { $null: true } };

/** Stands for no folder. */
const TOP = "top";

/** Where the caller sees no folder, all files lie at the top. */
function folderOf(folder: unknown, ability: Ability): object {
  if (folder === undefined || folder === "") return {};
  if (!ability.can(`${FOLDER_TYPE}.find`)) return folder === TOP ? {} : NOTHING;
  return { folder: folder === TOP ? { $null: true } : { documentId: { $eq: folder } } };
}

function searchOf(text: unknown, ability: Ability): object {
  if (text === undefined || text === "") return {};
  const reach = abilityOnFiles(ability).reachOf(actionOnFiles("find"));
  const fields = reach.rows === "nothing" ? undefined : reach.fields;
  const names = SEARCHED.filter((name) => fields?.has(name) !== false);
  return names.length === 0 ? NOTHING : { $or: names.map((name) => ({ [name]: { $containsi: text } })) };
}

function typesOf(types: unknown): object {
  if (types === undefined || types === "") return {};
  const groups = [types].flat().flatMap((item) => String(item).split(","));
  const unknown = groups.find((group) => !NAMES.includes(group));
  if (unknown !== undefined) throw new UnknownGroupError({ name: unknown });
  const isIn = (chosen: readonly string[]) => ({
    $or: Object.entries(GROUPS).flatMap(([group, start]) =>
      chosen.includes(group) ? [{ mime: { $startsWith: start } }] : [],
    ),
  });
  if (!groups.includes(OTHERS)) return isIn(groups);
  const left = NAMES.filter((group) => !groups.includes(group));
  return left.length === 0 ? {} : { $not: isIn(left) };
}
