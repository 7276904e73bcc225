import type { Depot, Kept, Sent } from "./depot-app.js";

const QUERIES = ["", "?status=draft", "?locale=fr", "?status=draft&locale=fr", "?populate=*"];
const ACTIONS = ["publish", "unpublish", "discard-draft"];
const V4 = { "strapi-response-format": "v4" };

const graphql = (query: string): Sent => ({ method: "POST", path: "/graphql", body: { query } });
const put = (path: string, data: object): Sent => ({ method: "PUT", path, body: { data } });

/** Relations and files in components and dynamic zones, changed and taken away. */
const partsOf = ({ freeTale, freeFile }: Kept): readonly object[] => {
  const part = { text: "taken", tale: freeTale.documentId, picture: freeFile.id };
  return [
    { part },
    { part: null },
    { blocks: [{ __component: "shared.part", ...part }] },
    { blocks: [] },
    { part, blocks: [{ __component: "shared.part", tale: { connect: [freeTale.documentId] } }] },
  ];
};

/** Every way to change the single type. */
const homeChanges = (kept: Kept): readonly Sent[] => [
  ...QUERIES.flatMap((query) => [
    put(`/api/home${query}`, { title: "taken" }),
    put(`/api/home${query}`, {}),
    { method: "DELETE", path: `/api/home${query}` },
  ]),
  ...[...partsOf(kept), { tales: [kept.freeTale.documentId] }, { tales: [] }, { cover: null }].flatMap((data) => [
    put("/api/home", data),
    put("/api/home?status=draft", data),
    { ...put("/api/home", data), headers: V4 },
  ]),
  ...ACTIONS.map((action) => ({ method: "POST", path: `/api/home/actions/${action}` })),
  ...[
    'mutation { updateHome(data: { title: "taken" }) { documentId } }',
    'mutation { updateHome(data: { title: "taken" }, status: DRAFT) { documentId } }',
    "mutation { updateHome(data: { tales: [] }) { documentId } }",
    "mutation { deleteHome { documentId } }",
  ].map(graphql),
];

/** Every way to change a tale's parts, files and locales. */
const taleChanges = (kept: Kept): readonly Sent[] => {
  const { documentId } = kept.tale;
  const path = `/api/tales/${documentId}`;
  const ids = [documentId, kept.freeTale.documentId];
  const data = [
    ...partsOf(kept),
    { cover: kept.freeFile.id },
    { gallery: [] },
    { gallery: { connect: [kept.freeFile.id] } },
  ];
  return [
    ...data.flatMap((each) => QUERIES.map((query) => put(`${path}${query}`, each))),
    ...[...QUERIES, "?locale=*", "?locale=en"].map((query) => ({ method: "DELETE", path: `${path}${query}` })),
    ...ACTIONS.flatMap((action) =>
      ["", "?locale=fr", "?locale=*", "?locale[0]=en&locale[1]=fr"].flatMap((query) => [
        { method: "POST", path: `${path}/actions/${action}${query}` },
        { method: "POST", path: `/api/tales/actions/${action}${query}`, body: { data: { documentIds: ids } } },
      ]),
    ),
    graphql(`mutation { updateTale(documentId: "${documentId}", data: { part: { text: "taken" } }) { documentId } }`),
    graphql(`mutation { updateTale(documentId: "${documentId}", data: { blocks: [] }) { documentId } }`),
    graphql(`mutation { updateTale(documentId: "${documentId}", locale: "fr", data: {}) { documentId } }`),
    graphql(`mutation { deleteTale(documentId: "${documentId}", locale: "fr") { documentId } }`),
  ];
};

const refIds = ({ id, documentId }: { readonly id: number; readonly documentId: string }) => [String(id), documentId];

/** Uploads that put their files into documents. */
const linkingUploads = ({ tale, home }: Kept): readonly Sent[] =>
  [
    ...refIds(tale).flatMap((refId) => ["cover", "gallery"].map((field) => ["api::tale.tale", refId, field])),
    ...refIds(home).map((refId) => ["api::home.home", refId, "cover"]),
  ].map(([ref = "", refId = "", field = ""]) => ({
    ...{ method: "POST", path: "/api/upload" },
    form: [
      ["files", "text", "new.txt"] as const,
      ["ref", ref] as const,
      ["refId", refId] as const,
      ["field", field] as const,
    ],
  }));

/** Every way to change a file or a folder that is there. */
const fileChanges = ({ file, folder, freeFolder }: Kept): readonly Sent[] => {
  const path = `/api/upload?id=${file.id}`;
  const infos = [{ name: "taken.txt" }, { alternativeText: "taken" }, { folder: freeFolder.id }, { folder: null }];
  const folderPath = `/api/upload/folders/${folder.documentId}`;
  return [
    { method: "POST", path, form: [["files", "other text", "used.txt"]] },
    ...infos.flatMap((info): Sent[] => [
      { method: "POST", path, form: [["fileInfo", JSON.stringify(info)]] },
      {
        method: "POST",
        path,
        form: [
          ["files", "other", "used.txt"],
          ["fileInfo", JSON.stringify(info)],
        ],
      },
    ]),
    { method: "DELETE", path: `/api/upload/files/${file.id}` },
    { method: "DELETE", path: `/api/upload/files/${file.id}?force=true` },
    ...refIds(file).flatMap((id) => [
      graphql(`mutation { updateUploadFile(id: "${id}", info: { name: "taken" }) { documentId } }`),
      graphql(`mutation { updateUploadFile(id: "${id}", info: { folder: null }) { documentId } }`),
      graphql(`mutation { deleteUploadFile(id: "${id}", force: true) { documentId } }`),
    ]),
    put(folderPath, { name: "taken" }),
    put(folderPath, { files: [] }),
    { method: "DELETE", path: folderPath },
  ];
};

/** Every way to change an account. */
const userChanges = ({ user, freeTale }: Kept): readonly Sent[] => [
  ...[{ username: "taken" }, { blocked: true }, { role: 1 }, { tales: [freeTale.documentId] }, { read: [] }, {}].map(
    (body) => ({ method: "PUT", path: `/api/users/${user.id}`, body }),
  ),
  { method: "DELETE", path: `/api/users/${user.id}` },
  graphql(
    `mutation { updateUsersPermissionsUser(id: "${user.id}", data: { username: "taken" }) { data { documentId } } }`,
  ),
  graphql(`mutation { deleteUsersPermissionsUser(id: "${user.id}") { data { documentId } } }`),
];

/** Requests that change rows or files that are there, by each surface. */
export const changesOf = ({ kept }: Depot): readonly Sent[] => [
  ...homeChanges(kept),
  ...taleChanges(kept),
  ...linkingUploads(kept),
  ...fileChanges(kept),
  ...userChanges(kept),
];

/** Requests that change tales or files from what they belong to: the single type, users, folders. */
export function detoursOf({ kept }: Depot): readonly Sent[] {
  const { tale, freeTale, file, freeFile, folder, freeFolder, user } = kept;
  const ways = (linked: string, free: string) => [
    ...[[], [free], [linked, free], { set: [] }, { set: [free] }, { connect: [free] }, { disconnect: [linked] }],
    { connect: [{ documentId: free, position: { start: true } }] },
  ];
  const tales = ways(tale.documentId, freeTale.documentId);
  const files = ways(file.documentId, freeFile.documentId);
  const account = { username: "bob", email: "bob@example.com", password: "Analytical-Engine-1843", role: 1 };
  const [taken] = [[freeTale.documentId]];
  return [
    ...tales.flatMap((value) => [
      ...QUERIES.map((query) => put(`/api/home${query}`, { tales: value })),
      ...["tales", "read"].map((name) => ({ method: "PUT", path: `/api/users/${user.id}`, body: { [name]: value } })),
    ]),
    ...["tales", "read"].map((name) => ({ method: "POST", path: "/api/users", body: { ...account, [name]: taken } })),
    ...files.map((value) => put(`/api/upload/folders/${folder.documentId}`, { files: value })),
    put(`/api/upload/folders/${freeFolder.documentId}`, { files: [file.documentId] }),
    { method: "POST", path: "/api/upload/folders", body: { data: { name: "new", files: [file.documentId] } } },
    ...["tales", "read"].map((name) =>
      graphql(
        `mutation { updateUsersPermissionsUser(id: "${user.id}", data: { ${name}: [] }) { data { documentId } } }`,
      ),
    ),
    graphql("mutation { updateHome(data: { tales: [] }) { documentId } }"),
    graphql(`mutation { updateHome(status: DRAFT, data: { tales: ["${freeTale.documentId}"] }) { documentId } }`),
  ];
}
