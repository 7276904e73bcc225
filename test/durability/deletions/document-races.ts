// Races with the deletion of documents of the app.
import { type Deletion, made } from "./race.js";

const LINK = `mutation ($id: ID!, $data: PostInput!) { updatePost(documentId: $id, data: $data) { documentId } }`;
const DELETE = `mutation ($id: ID!) { deleteTopic(documentId: $id) { documentId } }`;

/** A document that others link to, that is planned to be published, and that a release holds. */
export const document: Deletion = {
  what: "a document that is deleted",
  ways: ["rest", "graphql", "admin"],
  prepare: async ({ admin, graphql, rest }, way) => {
    const { documentId } = made(await rest("POST", "/topics?status=draft", { data: { name: "goes" } })).data;
    const post = async () => made(await rest("POST", "/posts", { data: { title: "stays" } })).data.documentId;
    const [byRest, byGraphql, byAdmin] = [await post(), await post(), await post()];
    const data = { topic: documentId, topics: [documentId] };
    const publishAt = new Date(Date.now() + 3_600_000).toISOString();
    const action = { type: "api::topic.topic", documentId, action: "publish" };
    return {
      remove: () =>
        way === "rest"
          ? rest("DELETE", `/topics/${documentId}`)
          : way === "graphql"
            ? graphql(DELETE, { id: documentId })
            : admin("DELETE", `/api/content/api::topic.topic/${documentId}`),
      writes: {
        "a link over REST": () => rest("PUT", `/posts/${byRest}`, { data }),
        "a link in a new document over REST": () => rest("POST", "/posts", { data: { title: "new", ...data } }),
        "a link over GraphQL": () => graphql(LINK, { id: byGraphql, data }),
        "a link on the admin page": () => admin("PUT", `/api/content/api::post.post/${byAdmin}`, { data }),
        "a plan over REST": () => rest("POST", `/topics/${documentId}/actions/schedule`, { publishAt }),
        "a release": () => admin("POST", "/api/releases", { name: "soon", actions: [action] }),
        "a change over REST": () => rest("PUT", `/topics/${documentId}`, { data: { name: "changed" } }),
      },
    };
  },
  leftovers: `select 'topic of ' || document_id as left_behind from posts p where topic is not null and not exists (select from topics t where t.document_id = p.topic)
    union all select 'link to ' || target from posts_links l where not exists (select from topics t where t.document_id = l.target) and not exists (select from files f where f.document_id = l.target)
    union all select 'plan of ' || document_id from plinth_schedule s where not exists (select from topics t where t.document_id = s.document_id)`,
};
