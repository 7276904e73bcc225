import type { HttpContext } from "@plinth/core";
import { IdInvalidError } from "../errors.js";

/** No row has a larger id. */
const ROW_ID = /^\d{1,15}$/;

/** The row id in the path. @throws PLINTH_USERS_ID_INVALID (400) */
export function parseId({ params }: HttpContext): number {
  const id = params["id"] ?? "";
  if (!ROW_ID.test(id)) throw new IdInvalidError({ id });
  return Number(id);
}
