/** The rights that an endpoint has by the content that it is sent. */
import type { App } from "@plinth/core";
import { FIND_DRAFTS, type Grant } from "@plinth/core/access";
import type { KnownEndpoint } from "./known-endpoint.js";

/** Reading every document of the types of an endpoint, drafts included; without content, nothing. */
export function contentGrantOf(
  { model }: App,
  { hasContent, types }: Pick<KnownEndpoint, "hasContent" | "types">,
): Grant {
  if (!hasContent) return "none";
  if (!types) return ["*.find", `*.${FIND_DRAFTS}`];
  return [...types].flatMap((uid) => {
    // Where drafts are open, `find` reads them.
    const hasOwnDrafts = model.contentTypes.get(uid)?.hasDrafts === true && !model.openDrafts;
    return [`${uid}.find`, ...(hasOwnDrafts ? [`${uid}.${FIND_DRAFTS}`] : [])];
  });
}
