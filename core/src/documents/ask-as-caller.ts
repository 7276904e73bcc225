// Puts the caller of the request that runs in the place of `visibility: "caller"`.
import { currentCaller } from "../access/caller.js";
import type { Asked, ReadParams, VersionParams } from "./documents.js";

/** What a caller decides of the parameters of any operation. */
type CallerParams = Pick<ReadParams, "visibility" | "ability" | "status" | "withPrivate"> &
  Pick<VersionParams, "author">;

/**
 * The parameters of an operation, as its caller may have them. An `ability` of their own stays. Only administrators are shown
 * private attributes.
 *
 * @param isRead - whether the public reads what is published, where `status` says nothing else.
 * @throws PLINTH_ACCESS_NO_CALLER (500)
 */
export function askAsCaller<Params extends CallerParams>(asked: Asked<Params>, isRead: boolean): Params {
  // JavaScript may leave the parameters out.
  if (asked?.visibility !== "caller") return asked as unknown as Params;
  const { visibility, ability, author } = currentCaller();
  return {
    ability,
    ...(author && !isRead ? { author } : {}),
    ...(visibility === "admin" ? { withPrivate: true } : isRead ? { status: "published" } : {}),
    ...withoutUndefined(asked),
    visibility,
  } as unknown as Params;
}

/** An option that is undefined counts as left out. */
const withoutUndefined = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
