import { KeyInvalidError } from "../errors.js";

/** Letters, digits, `_`, `-` and dots, of which none comes first: no path, and nothing that has to be escaped. */
const KEY = /^[\w-][\w.-]*$/;

/** Whether a file may be stored under a name. */
export function isKey(key: string): boolean {
  return KEY.test(key);
}

/**
 * Rejects a key that could lead out of the storage. Providers call it before anything is read, written or deleted: keys
 * come from the table of files, which an import or a plugin may have filled.
 *
 * @throws PLINTH_UPLOAD_KEY_INVALID (500)
 */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new KeyInvalidError({ key });
}
