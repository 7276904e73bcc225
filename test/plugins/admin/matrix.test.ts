import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { auditPlugin } from "@plinth/plugin-audit";
import { ENTRIES, SEALS } from "#plugins/audit/src/tables.js";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { historyPlugin } from "@plinth/plugin-history";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { uploadPlugin } from "@plinth/plugin-upload";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { eitherDatabase } from "../../databases.js";
import { fingerprint as fingerprintOf } from "../content-api/hostile-requests.js";
import { LIST_ROWS } from "./matrix-lists.js";
import { OWNERS_ROWS } from "./matrix-owners.js";
import { HISTORY_ROWS } from "./matrix-history.js";
import { LIVE_ROWS } from "./matrix-live.js";
import { ACCOUNT_ROWS } from "./matrix-accounts.js";
import { all, ANY, ARTICLES, type Asked, at, DATA, type Headers, type Kept, type Row } from "./matrix-row.js";
import { MEDIA_ROWS } from "./matrix-media.js";
import { PLANS_ROWS } from "./matrix-plans.js";
import { builderRows } from "./matrix-builder.js";
import { PREVIEW_ROWS } from "./matrix-preview.js";
import { serveAdmin } from "./serve-admin.js";
import { administratorOf, signIn } from "./sign-in.js";

/** Every endpoint below /admin/api. A new one needs a row here, or in a file of its part that is spread here. */
const ROWS: Readonly<Record<string, Row>> = {
  "POST /admin/api/session": { ask: at("/session", { body: { email: "x@example.com", password: "x" } }) },
  "DELETE /admin/api/session": { ask: at("/session") },
  "POST /admin/api/welcome": {
    ask: at("/welcome", { body: { code: "x", name: "X", email: "x@example.com", password: "long enough 1" } }),
  },
  "GET /admin/api/sessions": all("/sessions"),
  "DELETE /admin/api/sessions/:id": { ask: at("/sessions/<session>"), author: 404, editor: 404 },
  "GET /admin/api/boot": all("/boot"),
  "GET /admin/api/model": all("/model"),
  "GET /admin/api/content/:uid": all(ARTICLES),
  "GET /admin/api/content/:uid/count": all(`${ARTICLES}/count`),
  "POST /admin/api/content/:uid": {
    ask: at(ARTICLES, { body: { data: DATA, status: "published" } }),
    ...{ author: 403, editor: 201 },
  },
  "POST /admin/api/content/:uid/check": {
    ask: ({ article }) => ({ path: `${ARTICLES}/check`, body: { documentId: article, data: DATA } }),
    ...{ author: 404, editor: 200 },
  },
  "POST /admin/api/content/:uid/actions/:action": {
    ask: ({ article }) => ({ path: `${ARTICLES}/actions/publish`, body: { documentIds: [article] } }),
    ...{ author: 403, editor: 204 },
  },
  "GET /admin/api/content/:uid/relations/:path": all(`${ARTICLES}/relations/next`),
  "GET /admin/api/content/:uid/:id": { ask: at(`${ARTICLES}/<article>`), author: 404, editor: 200 },
  "PUT /admin/api/content/:uid/:id": {
    ask: at(`${ARTICLES}/<article>`, { body: { data: DATA }, headers: ANY }),
    ...{ author: 404, editor: 200 },
  },
  "DELETE /admin/api/content/:uid/:id": { ask: at(`${ARTICLES}/<article>`), author: 404, editor: 204 },
  "POST /admin/api/content/:uid/:id/actions/:action": {
    ask: at(`${ARTICLES}/<article>/actions/publish`),
    ...{ author: 403, editor: 200 },
  },
  "GET /admin/api/content/:uid/:id/relations/:path": {
    ask: at(`${ARTICLES}/<article>/relations/next`),
    ...{ author: 404, editor: 200 },
  },
  "GET /admin/api/content/:uid/:id/uses": { ask: at(`${ARTICLES}/<article>/uses`), author: 404, editor: 200 },
  ...builderRows,
  "GET /admin/api/working-copies": all("/working-copies"),
  "GET /admin/api/working-copies/:uid/:id": all("/working-copies/api::article.article/<article>"),
  // What an account typed is its own, about whatever document: it changes none.
  "PUT /admin/api/working-copies/:uid/:id": {
    ask: at("/working-copies/api::article.article/<article>", { body: { changes: {}, device: "laptop" } }),
    ...{ author: 200, editor: 200 },
  },
  "DELETE /admin/api/working-copies/:uid/:id": {
    ask: at("/working-copies/api::article.article/<article>"),
    ...{ author: 204, editor: 204 },
  },
  ...MEDIA_ROWS,
  ...LIST_ROWS,
  ...PLANS_ROWS,
  ...OWNERS_ROWS,
  // Of what the caller does not see nothing is named.
  "POST /admin/api/named": {
    ask: ({ article, file }) => ({
      path: "/named",
      body: { documents: [{ uid: "api::article.article", documentId: article }], files: [file] },
    }),
    ...{ author: 200, editor: 200 },
  },
  ...HISTORY_ROWS,
  ...LIVE_ROWS,
  ...ACCOUNT_ROWS,
  ...PREVIEW_ROWS,
};

/** All that is stored, but for the log, in which refusals are entries. */
const fingerprint = (plinth: PlinthApp) => fingerprintOf(plinth, [ENTRIES, SEALS]);

/** What browsers say of requests of other pages. */
const FOREIGN: Readonly<Record<string, Headers>> = {
  "another site": { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  "a sister subdomain": { "sec-fetch-site": "same-site", origin: "https://shop.example.com" },
  "another site, in a browser without fetch metadata": { "sec-fetch-site": "", origin: "https://evil.example" },
};

eitherDatabase(import.meta.url, (database) => {
  describe("every endpoint of /admin/api", () => {
    const root = mkdtempSync(join(tmpdir(), "plinth-matrix-test-"));
    after("remove the storage", () => rmSync(root, { recursive: true, force: true }));
    const served = serveAdmin(database, {
      plugins: [
        ...[contentApiPlugin, apiTokensPlugin, uploadPlugin, usersPermissionsPlugin, adminPlugin],
        ...[auditPlugin, historyPlugin, jobsPlugin, schedulePlugin],
      ],
      pluginConfigs: {
        // What the clock does changes rows as well.
        jobs: { work: false },
        "api-tokens": { loginLimit: 1000 },
        "users-permissions": { jwtSecret: "what only these tests know" },
        admin: { preview: { origins: ["https://site.example"] } },
        upload: { providerOptions: { directory: join(root, "storage") }, temporaryDirectory: join(root, "temporary") },
      },
      app: {
        contentTypes: {
          "api::article.article": {
            kind: "collectionType",
            info: { singularName: "article", pluralName: "articles", displayName: "Article" },
            options: { draftAndPublish: true },
            pluginOptions: { admin: { preview: "/articles/{documentId}" } },
            attributes: {
              title: { type: "string", required: true },
              next: { type: "relation", relation: "oneToOne", target: "api::article.article" },
              cover: { type: "media" },
            },
          },
        },
      },
    });

    const closed = () => Object.entries(ROWS).filter(([, { author }]) => author !== undefined);
    const send = (name: string, { path, body, headers }: Asked, by: Headers) =>
      served().ask(name.split(" ")[0] ?? "", `/admin/api${path}`, { ...by, ...headers }, body);
    const upload = async (by: Headers) => {
      const form = new FormData();
      form.append("files", new Blob(["text"]), "secret.txt");
      return (await served().ask("POST", "/admin/api/files", { ...by, "x-plinth-admin": "1" }, form)).body.data[0];
    };
    const makeKept = async (): Promise<Kept> => {
      const by = await signIn(served().plinth.app, "super");
      const made = await served().ask("POST", `/admin/api${ARTICLES}`, by, { data: { title: "Secret" } });
      const sessions = await served().ask("GET", "/admin/api/sessions", by);
      const { documentId: file } = await upload(by);
      return { article: made.body.data.documentId, file, session: sessions.body.data[0].id };
    };
    let kept: Kept;
    before("make an article and a file", async () => {
      kept = await makeKept();
    });

    /** Sends a request to each of these endpoints. Each has to be refused so, tell nothing, and change no row. */
    const expectRefused = async (names: readonly [string, Row][], by: Headers, status: number) => {
      const before = await fingerprint(served().plinth);
      for (const [name, { ask }] of names) {
        const answer = await send(name, ask(kept), by);
        expect(answer.status, `${name}: ${answer.text}`).to.equal(status);
        expect(answer.text, name).to.not.match(/secret/i);
      }
      expect(await fingerprint(served().plinth)).to.deep.equal(before);
    };

    it("has a row in this test", () => {
      const names = served()
        .plinth.routes()
        .map(({ method, path }) => `${method} ${path}`)
        .filter((name) => name.includes(" /admin/api/"));
      expect(names.toSorted()).to.deep.equal(Object.keys(ROWS).toSorted());
    });

    it("is closed to a caller who is not signed in", async () => {
      await expectRefused(closed(), { "sec-fetch-site": "same-origin" }, 401);
    });

    for (const [from, headers] of Object.entries(FOREIGN))
      it(`is closed to the cookie of a super administrator that comes from ${from}, and changes nothing`, async () => {
        const by = await signIn(served().plinth.app, "super");
        await expectRefused(Object.entries(ROWS), { ...by, ...headers }, 403);
      });

    it("is closed to the session of an account that was deactivated", async () => {
      const { app } = served().plinth;
      const { documentId } = await administratorOf(app, "leaver");
      await app.documents("plugin::api-tokens.admin").update({ documentId, data: { role: "super" } });
      const by = await signIn(app, "leaver");
      expect((await served().ask("GET", "/admin/api/boot", by)).status).to.equal(200);
      await app.documents("plugin::api-tokens.admin").update({ documentId, data: { isActive: false } });
      await expectRefused(closed(), by, 401);
    });

    for (const role of ["author", "editor"] as const)
      it(`answers ${role}s as their role says, and a refusal changes nothing and tells nothing`, async () => {
        const by = await signIn(served().plinth.app, role);
        for (const [name, row] of closed()) {
          const mine = row[role] ?? 0;
          // What an editor deletes is not there for the next endpoint.
          if (mine < 300) kept = await makeKept();
          const before = await fingerprint(served().plinth);
          const answer = await send(name, row.ask(kept), by);
          expect(answer.status, `${name}: ${answer.text}`).to.equal(mine);
          if (mine >= 400) expect(await fingerprint(served().plinth), name).to.deep.equal(before);
          if (role === "author" && !/\/(files|named)/.test(name)) expect(answer.text, name).to.not.include("Secret");
        }
      });

    it("lets authors change and delete the files that they uploaded", async () => {
      const by = await signIn(served().plinth.app, "author");
      const { documentId } = await upload(by);
      const path = `/admin/api/files/${documentId}`;
      expect((await served().ask("PUT", path, by, { name: "mine.txt" })).body.data.name).to.equal("mine.txt");
      expect((await served().ask("DELETE", path, by)).status).to.equal(204);
    });
  });
});
