import type { Document } from "@plinth/core";
import type { Event } from "@plinth/plugin-events";
import type { KnownEndpoint } from "../endpoints/known-endpoint.js";

/**
 * The bodies that tell an endpoint of an event: one, or, in the form of Strapi, one for each locale.
 *
 * @param position - of the database, from which the event is to be seen; undefined where there are no replicas.
 */
export function bodiesOf(event: Event, endpoint: KnownEndpoint, position: string | undefined): readonly string[] {
  if (endpoint.format === "strapi") return strapiBodies(event).map((body) => JSON.stringify(body));
  return [JSON.stringify(standardBody(event, endpoint.hasContent, position))];
}

/** @source https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#payload-structure */
function standardBody(event: Event, hasContent: boolean, position: string | undefined): object {
  const { type, at, uid, documentId, locales, data, entries = [] } = event;
  return {
    ...{ type, timestamp: at },
    data: {
      ...{ uid, documentId, locales },
      ...(data === undefined ? {} : { data }),
      ...(hasContent ? contentOf(entries) : {}),
      ...(position === undefined ? {} : { position }),
    },
  };
}

function contentOf(entries: readonly Document[]): object {
  if (entries.length === 0) return {};
  return entries.length === 1 ? { entry: entries[0] } : { entries };
}

/** @source https://docs.strapi.io/cms/backend-customization/webhooks#available-events */
function strapiBodies({ type, at, uid, documentId, locales, data, entries = [] }: Event): readonly object[] {
  const [subject = "", ...verb] = type.split(".");
  const createdAt = at;
  // Behind the data, which may have members of these names.
  if (uid === null) return [{ ...Object(data), event: type, createdAt }];
  // What was written by an import, or before this endpoint was there, has no content.
  const missing = (locales.length === 0 ? [undefined] : locales).map((locale) => ({ documentId, locale }));
  const all: readonly object[] = entries.length > 0 ? entries : missing;
  if (subject === "media") return all.map((media) => ({ event: type, createdAt, media }));
  const event = subject === "user" ? ["entry", ...verb].join(".") : type;
  return all.map((entry) => ({ event, createdAt, model: uid.split(".").at(-1), uid, entry }));
}
