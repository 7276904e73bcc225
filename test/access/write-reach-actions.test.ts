import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { fingerprint } from "../plugins/content-api/hostile-requests.js";
import { type Bastion, OWNER, type Sent, serveBastion } from "./bastion/bastion-app.js";

const ACTIONS = ["publish", "unpublish", "discard-draft"];

/** Every way to write the pages themselves. */
function writesOf({ made }: Bastion): readonly Sent[] {
  const id = made["pages"]?.linked.documentId ?? "";
  const path = `/api/pages/${id}`;
  const data = { title: "taken" };
  return [
    ...["", "?status=draft", "?locale=fr", "?locale=fr&status=draft", "?populate=*"].flatMap((query) => [
      { method: "PUT", path: `${path}${query}`, body: { data } },
      { method: "PUT", path: `${path}${query}`, body: { data: {} } },
      { method: "DELETE", path: `${path}${query}` },
    ]),
    { method: "PUT", path, body: { data }, headers: { "strapi-response-format": "v4" } },
    { method: "DELETE", path: `${path}?locale=*` },
    ...ACTIONS.flatMap((action) => [
      { method: "POST", path: `${path}/actions/${action}` },
      { method: "POST", path: `${path}/actions/${action}?locale=*` },
      { method: "POST", path: `/api/pages/actions/${action}`, body: { data: { documentIds: [id] } } },
    ]),
    ...[
      `mutation { updatePage(documentId: "${id}", data: { title: "taken" }) { documentId title } }`,
      `mutation { updatePage(documentId: "${id}", data: { title: "taken" }, status: DRAFT) { documentId } }`,
      `mutation { updatePage(documentId: "${id}", data: { title: "taken" }, locale: "fr") { documentId } }`,
      `mutation { deletePage(documentId: "${id}") { documentId } }`,
    ].map((query) => ({ method: "POST", path: "/graphql", body: { query } })),
  ];
}

eitherDatabase(import.meta.url, (database) => {
  describe("Documents that one may not change", () => {
    const served = serveBastion(database);

    for (const token of ["has-no-update", "has-no-row", "acts-on-no-row"]) {
      it(`stay as they are, whatever is done to them by who ${token.replaceAll("-", " ")}`, async () => {
        const before = await fingerprint(served().plinth);
        for (const sent of writesOf(served())) {
          const answer = await served().ask(token, sent);
          expect(answer.status, JSON.stringify([sent, answer.body])).to.be.below(500);
          expect(await fingerprint(served().plinth), JSON.stringify(sent)).to.deep.equal(before);
        }
      });
    }

    it("tell nothing to who may write them and not read them", async () => {
      const { made, ask } = served();
      const path = `/api/pages/${made["pages"]?.linked.documentId}`;
      const ids = ["id", "documentId"];
      const answers = [
        await ask("writes-blindly", { method: "PUT", path: `${path}?populate=*`, body: { data: {} } }),
        await ask("writes-blindly", { method: "PUT", path: `${path}?status=draft&fields=title`, body: { data: {} } }),
        await ask("writes-blindly", { method: "POST", path: "/api/pages?populate=*", body: { data: { title: "x" } } }),
        ...(await Promise.all(
          ACTIONS.map((action) => ask("writes-blindly", { method: "POST", path: `${path}/actions/${action}` })),
        )),
      ];
      for (const { status, body } of answers)
        expect([status < 300, Object.keys(body.data ?? {})], JSON.stringify(body)).to.deep.equal([true, ids]);
      const query = `mutation { deletePage(documentId: "${made["pages"]?.linked.documentId}") { documentId title } }`;
      const { body } = await ask("writes-blindly", { method: "POST", path: "/graphql", body: { query } });
      expect(body.data?.deletePage?.title ?? null).to.equal(null);
      expect((await ask(OWNER, { method: "GET", path })).status).to.equal(404);
    });
  });
});
