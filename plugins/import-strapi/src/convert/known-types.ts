import { STRAPI } from "../source/export-format.js";
import { adaptFile, type StoredFiles } from "../source/stored-files.js";
import type { ExportIndex } from "../source/export-index.js";

type Values = Readonly<Record<string, unknown>>;

/** Keys of every entry that are no attributes; `__component` and `id` are those of components. */
const SYSTEM_KEYS = new Set([
  ...["id", "documentId", "createdAt", "updatedAt", "publishedAt", "locale", "__component", "createdBy", "updatedBy"],
]);

/** Attributes of plugins' types in Strapi that are not needed here. */
const SILENT_KEYS: Readonly<Record<string, readonly string[]>> = {
  [STRAPI.folder]: ["path", "pathId"],
  [STRAPI.file]: ["related"],
};

/** Whether a key of an entry, or of a component, is dropped without an issue. */
export function isSilentKey(uid: string, key: string): boolean {
  return SYSTEM_KEYS.has(key) || SILENT_KEYS[uid]?.includes(key) === true;
}

/** An entry in the words of the plugin that has its type here. */
export function adaptEntry(
  uid: string,
  data: Values,
  { index, files }: { readonly index: ExportIndex; readonly files: StoredFiles | undefined },
): Values {
  if (uid === STRAPI.user) return adaptUser(data);
  if (uid !== STRAPI.file) return data;
  return { ...adaptFile(data, files), folderPath: adaptPath(String(data["folderPath"] ?? "/"), index) };
}

/** E-mail addresses are compared in lower case; mails under way lead to the other server, so their codes end here. */
function adaptUser(data: Values): Values {
  const email = data["email"];
  return {
    ...data,
    ...(typeof email === "string" ? { email: email.toLowerCase() } : {}),
    resetPasswordToken: null,
    confirmationToken: null,
  };
}

/** Paths are made of row ids here, and of numbers of their own there. */
function adaptPath(path: string, index: ExportIndex): string {
  const ids = new Map(index.kept(STRAPI.folder).map(({ id, data }) => [String(data["pathId"]), String(id)]));
  return path
    .split("/")
    .map((part) => ids.get(part) ?? part)
    .join("/");
}
