import type { App } from "@plinth/core";
import type { ContentType } from "@plinth/core/schema";
import { UnknownTypeError } from "./errors.js";

/** A content-type of the app. @throws PLINTH_REST_UNKNOWN_TYPE (500) */
export function findType({ model }: App, uid: string): ContentType {
  const type = model.contentTypes.get(uid);
  if (type) return type;
  throw new UnknownTypeError({ uid, known: [...model.contentTypes.keys()] });
}
