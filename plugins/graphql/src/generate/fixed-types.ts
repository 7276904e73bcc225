import nexus from "nexus";

/** Name of the interface of what `delete<Name>` answers with. */
export const DELETED = "DeleteMutationResponse";

/** Name of the type of what stands in a zone and is not a component. */
export const ZONE_ERROR = "Error";

const PUBLICATION_FILTERS = [
  ["NEVER_PUBLISHED", "Drafts without a published version in their locale."],
  ["NEVER_PUBLISHED_DOCUMENT", "Drafts without a published version in any locale."],
  ["HAS_PUBLISHED_VERSION", "Versions of what is published in their locale."],
  ["HAS_PUBLISHED_VERSION_DOCUMENT", "Versions of what is published in some locale."],
  ["MODIFIED", "Versions of what was changed since it was published."],
  ["UNMODIFIED", "Versions of what was not changed since it was published."],
  ["PUBLISHED_WITHOUT_DRAFT", "Published versions that no draft stands beside."],
  ["PUBLISHED_WITH_DRAFT", "Published versions that a draft stands beside."],
] as const;

/** The types that do not depend on the content model. */
export function fixedTypes() {
  return [pagination(), paginationArgument(), publicationStatus(), publicationFilter(), zoneError(), deleted()];
}

function pagination() {
  return nexus.objectType({
    name: "Pagination",
    description: "Where a page stands in its list.",
    definition(t) {
      for (const field of ["total", "page", "pageSize", "pageCount"]) t.nonNull.int(field);
    },
  });
}

function paginationArgument() {
  return nexus.inputObjectType({
    name: "PaginationArg",
    description: "The page wanted: `page` and `pageSize`, or `start` and `limit`; not both.",
    definition(t) {
      for (const field of ["page", "pageSize", "start", "limit"]) t.int(field);
    },
  });
}

function publicationStatus() {
  return nexus.enumType({
    name: "PublicationStatus",
    description: "The versions of a document.",
    members: [
      { name: "DRAFT", value: "draft" },
      { name: "PUBLISHED", value: "published" },
    ],
  });
}

function publicationFilter() {
  const members = PUBLICATION_FILTERS.map(([name, description]) => {
    return { name, description, value: name.toLowerCase().replaceAll("_", "-") };
  });
  return nexus.enumType({ name: "PublicationFilter", description: "Documents by what versions they have.", members });
}

function zoneError() {
  return nexus.objectType({
    name: ZONE_ERROR,
    description: "Stands in a dynamic zone for an item of a component that no longer exists.",
    definition(t) {
      t.nonNull.string("code", { resolve: () => "COMPONENT_NOT_FOUND" });
      t.string("message", { resolve: () => "The component of this item does not exist." });
    },
  });
}

function deleted() {
  return nexus.interfaceType({
    name: DELETED,
    description: "A document that can be deleted, as it was.",
    resolveType: () => null,
    definition(t) {
      t.nonNull.id("documentId");
    },
  });
}
