// Races with the deletion of a locale.
import type { Deletion } from "./race.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { expect } from "chai";
import { made } from "./race.js";
import type { Site } from "./site.js";

const CREATE = `mutation ($data: PostInput!) { createPost(data: $data, locale: "de") { documentId } }`;
const UPDATE = `mutation ($id: ID!, $data: PostInput!) { updatePost(documentId: $id, data: $data, locale: "de") { documentId } }`;

/** Content in a locale, and its deletion with or without what is in it. */
const localeWith = (force: boolean): Deletion => ({
  what: force ? "a locale that is deleted with all that is in it" : "a locale that is deleted",
  ways: ["admin"],
  ...(force ? {} : { isRefusedInUse: true as const }),
  prepare: async (site) => {
    const { admin, graphql, rest } = site;
    await removeAll(site);
    const { documentId } = made(await admin("POST", "/i18n/locales", { code: "de" })).data;
    await eventually(async () => expect(site.apps.every(({ model }) => model.locales.includes("de"))).to.equal(true));
    const post = async () => made(await rest("POST", "/posts", { data: { title: "in English" } })).data.documentId;
    const [byRest, byGraphql, byAdmin] = [await post(), await post(), await post()];
    const data = { title: "auf Deutsch" };
    return {
      remove: () => admin("DELETE", `/i18n/locales/${documentId}?force=${force}`),
      writes: {
        "a new document over REST": () => rest("POST", "/posts?locale=de", { data }),
        "another language of a document over REST": () => rest("PUT", `/posts/${byRest}?locale=de`, { data }),
        "a new document over GraphQL": () => graphql(CREATE, { data }),
        "another language of a document over GraphQL": () => graphql(UPDATE, { id: byGraphql, data }),
        "a new document on the admin page": () => admin("POST", "/api/content/api::post.post?locale=de", { data }),
        "another language of a document on the admin page": () =>
          admin("PUT", `/api/content/api::post.post/${byAdmin}?locale=de`, { data }, { "if-none-match": "*" }),
      },
    };
  },
  leftovers: `select document_id, locale from posts where locale not in (select code from i18n_locales)`,
});

/** A locale that the round before may have left. */
async function removeAll({ admin }: Site): Promise<void> {
  const { data } = made(await admin("GET", "/i18n/locales"));
  for (const { documentId, code } of data as { readonly documentId: string; readonly code: string }[])
    if (code === "de") made(await admin("DELETE", `/i18n/locales/${documentId}?force=true`));
}

/** The deletions of a locale. */
export const locales: readonly Deletion[] = [localeWith(false), localeWith(true)];
