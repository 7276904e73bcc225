import type { Component, ContentType } from "@plinth/core/schema";
import nexus from "nexus";
import { filtersName } from "../names.js";

/** The type of a field or argument: a name, or a list or non-null type of one. */
export type TypeRef = string | ReturnType<typeof nexus.list> | ReturnType<typeof nexus.nonNull>;

/** Arguments of a field by name. */
export type FieldArguments = Record<string, ReturnType<typeof nexus.arg>>;

/** What a list takes: `filters`, `pagination` and `sort`. A single type has one document, of which nothing is to choose. */
export function listArguments(shape: ContentType | Component): FieldArguments {
  if (shape.shape === "content-type" && shape.kind === "singleType") return {};
  return {
    filters: nexus.arg({ type: filtersName(shape) }),
    pagination: nexus.arg({ type: "PaginationArg", default: {} }),
    sort: nexus.arg({ type: nexus.list("String"), default: [] }),
  };
}

const publicationArguments: FieldArguments = {
  hasPublishedVersion: nexus.arg({
    type: "Boolean",
    description: "Whether a published version must exist, or must not; as publicationFilter says more exactly.",
  }),
  publicationFilter: nexus.arg({ type: "PublicationFilter", description: "Which documents, by their versions." }),
};

const statusArgument: FieldArguments = {
  status: nexus.arg({ type: "PublicationStatus", default: "published", description: "The version to read or write." }),
};

/** What says which versions a root field reads. */
export function versionArguments(type: ContentType): FieldArguments {
  return { ...publicationArguments, ...statusArgument, ...localeArgument(type), ...fallbackArgument(type) };
}

/** What says which version a mutation writes. */
export function writeArguments(type: ContentType): FieldArguments {
  return { ...statusArgument, ...localeArgument(type) };
}

/** The locale to read or write, of localised types. */
export function localeArgument({ isLocalized }: ContentType): FieldArguments {
  if (!isLocalized) return {};
  return {
    locale: nexus.arg({ type: "I18NLocaleCode", description: "The locale to use; the default locale without it." }),
  };
}

function fallbackArgument({ isLocalized }: ContentType): FieldArguments {
  if (!isLocalized) return {};
  const type = nexus.list(nexus.nonNull("I18NLocaleCode"));
  const description =
    "What stands in, in this order, for documents without a version in the locale: codes, or `none`. Without it: what the locale itself names.";
  return { fallbackLocale: nexus.arg({ type, description }) };
}

/** The document that a field is about. */
export const documentArgument: FieldArguments = { documentId: nexus.arg({ type: nexus.nonNull("ID") }) };
