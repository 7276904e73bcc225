import { IdInvalidError } from "../errors.js";

/** No row has a larger id. */
const ROW_ID = /^\d{1,15}$/;

/** The row id of a file, from a path or a query string. @throws PLINTH_UPLOAD_ID_INVALID (400) */
export function parseId(id: unknown): number {
  if (typeof id !== "string" || !ROW_ID.test(id)) throw new IdInvalidError({ id: String(id) });
  return Number(id);
}
