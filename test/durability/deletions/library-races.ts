// Races with the deletion of files and folders of the media library.
import { type Deletion, made } from "./race.js";
import type { Site } from "./site.js";

const LINK = `mutation ($id: ID!, $data: PostInput!) { updatePost(documentId: $id, data: $data) { documentId } }`;
const DELETE_FILE = `mutation ($id: ID!) { deleteUploadFile(id: $id) { documentId } }`;

/** A multipart body of a text file. */
function textFile(fileInfo: object = {}): FormData {
  const form = new FormData();
  form.append("files", new Blob(["a text"]), "a.txt");
  form.append("fileInfo", JSON.stringify(fileInfo));
  return form;
}

const upload = async ({ rest }: Site) => made(await rest("POST", "/upload", textFile()))[0];

/** A file, where files in use are kept. */
export const file: Deletion = {
  what: "a file that is deleted",
  ways: ["rest", "graphql", "admin"],
  isRefusedInUse: true,
  prepare: async (site, way) => {
    const { admin, graphql, rest } = site;
    const { id, documentId } = await upload(site);
    const post = async () => made(await rest("POST", "/posts", { data: { title: "stays" } })).data.documentId;
    const [byRest, byGraphql, byAdmin] = [await post(), await post(), await post()];
    return {
      remove: () =>
        way === "rest"
          ? rest("DELETE", `/upload/files/${id}`)
          : way === "graphql"
            ? graphql(DELETE_FILE, { id })
            : admin("DELETE", `/api/files/${documentId}`),
      writes: {
        "a link over REST": () => rest("PUT", `/posts/${byRest}`, { data: { cover: id } }),
        "a link in a new document over REST": () => rest("POST", "/posts", { data: { title: "new", cover: id } }),
        "a link over GraphQL": () => graphql(LINK, { id: byGraphql, data: { cover: id } }),
        "a link on the admin page": () =>
          admin("PUT", `/api/content/api::post.post/${byAdmin}`, { data: { cover: documentId } }),
      },
    };
  },
  leftovers: `select 'cover of ' || document_id as left_behind from posts p where cover is not null and not exists (select from files f where f.document_id = p.cover)`,
};

/** A folder, which has to be empty. */
export const folder: Deletion = {
  what: "a folder that is deleted",
  ways: ["rest", "admin"],
  isRefusedInUse: true,
  prepare: async (site, way, round) => {
    const { admin, rest } = site;
    const folderNamed = async (name: string) => made(await admin("POST", "/api/folders", { name })).data.documentId;
    const documentId = await folderNamed(`goes ${way} ${round}`);
    const moved = await folderNamed(`moves ${way} ${round}`);
    const [byRest, byAdmin] = [await upload(site), await upload(site)];
    const file = (form: FormData) => admin("POST", "/api/files", form);
    return {
      remove: () =>
        way === "rest"
          ? rest("DELETE", `/upload/folders/${documentId}`)
          : admin("DELETE", `/api/folders/${documentId}`),
      writes: {
        "an upload into it over REST": () => rest("POST", "/upload", textFile({ folder: documentId })),
        "an upload into it on the admin page": () => file(textFile({ folder: documentId })),
        "a file that is moved into it over REST": () =>
          rest("POST", `/upload?id=${byRest.id}`, infoOnly({ folder: documentId })),
        "a file that is moved into it on the admin page": () =>
          admin("PUT", `/api/files/${byAdmin.documentId}`, { folder: documentId }),
        "a folder that is made in it": () => admin("POST", "/api/folders", { name: "inner", parent: documentId }),
        "a folder that is moved into it": () => admin("PUT", `/api/folders/${moved}`, { parent: documentId }),
      },
    };
  },
  leftovers: `select 'file ' || document_id as left_behind from files f where folder is not null and not exists (select from upload_folders d where d.document_id = f.folder)
    union all select 'folder ' || document_id from upload_folders f where parent is not null and not exists (select from upload_folders d where d.document_id = f.parent)`,
};

/** The same, in another folder. */
export const movedFolder: Deletion = {
  what: "a folder that is moved",
  ways: ["admin"],
  prepare: async (site, _way, round) => {
    const { admin, rest } = site;
    const replaced = await upload(site);
    const folderNamed = async (name: string, parent: string | null = null) =>
      made(await admin("POST", "/api/folders", { name, parent })).data.documentId;
    const outer = await folderNamed(`outer ${round}`);
    const documentId = await folderNamed("inner", await folderNamed("middle", outer));
    const elsewhere = await folderNamed(`elsewhere ${round}`);
    const [byRest, byAdmin] = [await upload(site), await upload(site)];
    return {
      remove: () => admin("PUT", `/api/folders/${outer}`, { parent: elsewhere }),
      writes: {
        "an upload into one in it over REST": () => rest("POST", "/upload", textFile({ folder: documentId })),
        "an upload into one in it on the admin page": () =>
          admin("POST", "/api/files", textFile({ folder: documentId })),
        "a file that is moved into one in it over REST": () =>
          rest("POST", `/upload?id=${byRest.id}`, infoOnly({ folder: documentId })),
        "a file that is replaced and moved into one in it over REST": () =>
          rest("POST", `/upload?id=${replaced.id}`, textFile({ folder: documentId })),
        "a file that is moved into one in it on the admin page": () =>
          admin("PUT", `/api/files/${byAdmin.documentId}`, { folder: documentId }),
      },
    };
  },
  leftovers: `with recursive tree (document_id, path) as (select document_id, '/' || id from upload_folders where parent is null
      union all select f.document_id, t.path || '/' || f.id from upload_folders f join tree t on f.parent = t.document_id)
    select 'path of ' || f.document_id as left_behind from files f join tree t on t.document_id = f.folder where f.folder_path <> t.path`,
};

function infoOnly(fileInfo: object): FormData {
  const form = new FormData();
  form.append("fileInfo", JSON.stringify(fileInfo));
  return form;
}
