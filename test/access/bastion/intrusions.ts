import type { Bastion, Made, Sent } from "./bastion-app.js";

/** One relation as it is written from the side that does not keep its links. */
interface OtherSide {
  /** Plural and GraphQL name of the type that is written. */
  readonly plural: string;
  readonly name: string;
  readonly attribute: string;
  /** Plural of the type whose rows would change. */
  readonly victims: string;
  readonly isMany: boolean;
}

const side = (plural: string, attribute: string, victims: string, isMany: boolean): OtherSide => ({
  ...{ plural, name: `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}`, attribute, victims, isMany },
});

/** Every two-way relation of the app, from its other side. */
export const SIDES: readonly OtherSide[] = [
  side("sections", "pages", "pages", true),
  side("sections", "notes", "notes", true),
  side("tags", "pages", "pages", true),
  side("tags", "notes", "notes", true),
  side("seats", "page", "pages", false),
  side("topics", "pages", "pages", true),
  side("topics", "themed", "pages", true),
  side("topics", "chaired", "pages", false),
  side("persons", "card", "cards", false),
];

/** The ways to link a document that is not linked, and to take a link away. */
const LINKING: Readonly<Record<string, (target: Made, isMany: boolean) => unknown>> = {
  "a document id": ({ documentId }, isMany) => (isMany ? [documentId] : documentId),
  "a row id": ({ id }, isMany) => (isMany ? [id] : id),
  "an object": ({ documentId }, isMany) => (isMany ? [{ documentId }] : { documentId }),
  set: ({ documentId }) => ({ set: [documentId] }),
  "set by row id": ({ id }) => ({ set: [{ id }] }),
  connect: ({ documentId }) => ({ connect: [documentId] }),
  "connect with a place": ({ documentId }) => ({ connect: [{ documentId, position: { start: true } }] }),
  "connect and disconnect": ({ documentId }) => ({ disconnect: [documentId], connect: [documentId] }),
};
const UNLINKING: typeof LINKING = {
  nothing: (_target, isMany) => (isMany ? [] : null),
  "set to nothing": () => ({ set: [] }),
  disconnect: ({ documentId }) => ({ disconnect: [documentId] }),
  "disconnect by row id": ({ id }) => ({ disconnect: [{ id }] }),
};

/**
 * Requests that would change rows of the type that keeps the links: every way to write a relation, by each surface that
 * has it. GraphQL takes lists of ids and nothing else.
 */
export function intrusionsOf(
  { made }: Bastion,
  { plural, name, attribute, victims, isMany }: OtherSide,
): readonly Sent[] {
  const [written, others] = [made[plural], made[victims]];
  if (!written || !others) throw new TypeError(`There are no ${plural} or ${victims}.`);
  const dataOf = (ways: typeof LINKING, victim: Made) =>
    Object.values(ways).map((write) => ({ [attribute]: write(victim, isMany) }));
  const { free, linked } = others;
  const [plain = {}] = dataOf(LINKING, free);
  const [taken = {}] = dataOf(LINKING, linked);
  const [emptied = {}] = dataOf(UNLINKING, linked);
  return [
    ...dataOf(LINKING, free).flatMap((data) => [create(plural, data), update(plural, written.free, data)]),
    ...[plain, taken].flatMap((data) => [
      ...["?status=draft", "?locale=fr", "?populate=*"].map((query) => create(plural, data, query)),
      ...["?status=draft", "?locale=fr", "?populate=*"].map((query) => update(plural, written.free, data, query)),
      { ...create(plural, data), headers: V4 },
      mutation(`mutation($data: ${name}Input!) { create${name}(data: $data) { documentId } }`, { data }),
      updateMutation(name, written.free, data),
    ]),
    ...dataOf(UNLINKING, linked).map((data) => update(plural, written.linked, data)),
    update(plural, written.linked, emptied, "?status=draft"),
    updateMutation(name, written.linked, emptied),
  ];
}

const V4 = { "strapi-response-format": "v4" };

const create = (plural: string, data: object, query = ""): Sent => ({
  ...{ method: "POST", path: `/api/${plural}${query}`, body: { data } },
});

const update = (plural: string, { documentId }: Made, data: object, query = ""): Sent => ({
  ...{ method: "PUT", path: `/api/${plural}/${documentId}${query}`, body: { data } },
});

function updateMutation(name: string, { documentId }: Made, data: object): Sent {
  const query = `mutation($id: ID!, $data: ${name}Input!) { update${name}(documentId: $id, data: $data) { documentId } }`;
  return mutation(query, { id: documentId, data });
}

function mutation(query: string, variables: object): Sent {
  return { method: "POST", path: "/graphql", body: { query, variables } };
}
