import { expect } from "chai";
import type { IssuedToken } from "@plinth/plugin-api-tokens";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "./serve-admin.js";
import { administratorOf, PASSWORD, signIn } from "./sign-in.js";

type Headers = Readonly<Record<string, string>>;

/** Routes that need no session: the page itself has to ask, and nothing else. */
const OPEN = [
  ...["POST /admin/api/session", "DELETE /admin/api/session", "POST /admin/api/welcome", "GET /admin/api/entrance"],
  ...["POST /admin/api/session/passkey", "POST /admin/api/session/second-factor"],
  ...["POST /admin/api/invitations/look", "POST /admin/api/invitations/accept"],
  ...["POST /admin/api/password/forgot", "POST /admin/api/password/reset"],
];

/** What browsers say of requests that another page makes, and what others leave out. */
const FOREIGN: Readonly<Record<string, Headers>> = {
  "another site": { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  "a sister subdomain": { "sec-fetch-site": "same-site", origin: "https://shop.example.com" },
  "the address bar": { "sec-fetch-site": "none" },
  "a browser without fetch metadata": { origin: "https://evil.example" },
  "a sandboxed frame": { origin: "null" },
  nowhere: {},
};

eitherDatabase(import.meta.url, (database) => {
  describe("the security of /admin/api", () => {
    const served = serveAdmin(database, {
      config: {
        server: { port: 0 },
        database: database.config(),
        // What the content API allows opens nothing here.
        middlewares: [
          ...["plinth::errors", "plinth::security"],
          { name: "plinth::cors", config: { origin: ["https://shop.example.com"] } },
          ...["plinth::query", "plinth::body", "plinth::router"],
        ],
      },
    });
    let documentId = "";
    let everything: IssuedToken;

    before("make a document and an API token that may everything", async () => {
      const { app } = served().plinth;
      documentId = (await app.documents("api::article.article").create({ data: { title: "Secret" } })).documentId;
      everything = await app
        .plugin("api-tokens")
        .service("tokens")
        .create({ name: "all", type: "custom", permissions: ["*"] });
    });

    const endpoints = () =>
      served()
        .plinth.routes()
        .filter(({ path }) => path.startsWith("/admin/api/"))
        .map(({ method, path }) => ({
          name: `${method} ${path}`,
          method,
          path: path
            .replace(":uid", "api::article.article")
            .replace(":id", documentId)
            .replace(":action", "publish")
            .replace(/[:*]\w+/g, "title"),
        }));
    const closed = () => endpoints().filter(({ name }) => !OPEN.includes(name));
    const bodyOf = (method: string) =>
      method === "GET" || method === "DELETE" ? undefined : { data: { title: "Changed" } };

    /** A hash of every row that there is. */
    const fingerprint = async () => {
      const { db, model } = served().plinth.app;
      const tables = [...model.contentTypes.values()].map(({ table }) => table);
      const text = tables
        .map(
          (table) =>
            `select '${table}' as name, md5(coalesce(string_agg(t::text, ',' order by id), '')) as hash from "${table}" t`,
        )
        .join(" union all ");
      return JSON.stringify(await db.query({ text: `${text} order by name`, values: [] }));
    };

    /** Sends a request to every endpoint, and checks that it is refused and nothing has changed. */
    const expectRefused = async (who: string, headers: Headers, status: number, among = closed()) => {
      const before = await fingerprint();
      for (const { name, method, path } of among) {
        const answer = await served().ask(method, path, headers, bodyOf(method));
        expect(answer.status, `${name} by ${who}`).to.equal(status);
        expect(answer.text, `${name} by ${who}`).not.to.include("Secret");
        expect(answer.headers.get("access-control-allow-origin"), name).to.not.equal("*");
      }
      expect(await fingerprint(), `the database after ${who}`).to.equal(before);
    };

    it("covers every endpoint, those of content among them", () => {
      const names = endpoints().map(({ name }) => name);
      expect(names).to.include.members([
        ...OPEN,
        "GET /admin/api/boot",
        "GET /admin/api/model",
        "PUT /admin/api/content/:uid/:id",
      ]);
    });

    it("refuses who is not signed in, garbage, and API tokens of every action", async () => {
      const page = { "sec-fetch-site": "same-origin" };
      await expectRefused("nobody", page, 401);
      await expectRefused("garbage", { ...page, cookie: `plinth-admin=${"a".repeat(22)}.${"b".repeat(43)}` }, 401);
      await expectRefused("a token", { authorization: `Bearer ${everything.accessKey}` }, 401);
      const { cookie = "" } = await signIn(served().plinth.app, "super");
      await expectRefused(
        "a token beside a cookie",
        { ...page, cookie, authorization: `Bearer ${everything.accessKey}` },
        401,
      );
      await expectRefused("credentials of another kind", { ...page, cookie, authorization: "Basic eDp5" }, 401);
    });

    for (const [who, headers] of Object.entries(FOREIGN))
      it(`refuses the cookie of a super administrator that comes from ${who}`, async () => {
        const { cookie = "" } = await signIn(served().plinth.app, "super");
        await expectRefused(who, { cookie, ...headers }, 403, endpoints());
      });

    it("refuses that on other routes below /admin as well", async () => {
      const { cookie = "" } = await signIn(served().plinth.app, "super");
      const body = { name: "stolen", type: "full-access" };
      for (const headers of Object.values(FOREIGN)) {
        const before = await fingerprint();
        const { status, body: answer } = await served().ask("POST", "/admin/api-tokens", { cookie, ...headers }, body);
        expect([status, answer.error.code]).to.deep.equal([403, "PLINTH_ADMIN_FOREIGN_ORIGIN"]);
        expect(await fingerprint()).to.equal(before);
      }
    });

    it("takes a browser without fetch metadata by its origin, and reads without one by the page's header", async () => {
      const { cookie = "" } = await signIn(served().plinth.app, "super");
      const origin = served().url;
      expect((await served().ask("GET", "/admin/api/boot", { cookie, origin })).status).to.equal(200);
      expect((await served().ask("GET", "/admin/api/boot", { cookie, "x-plinth-admin": "1" })).status).to.equal(200);
      const foreign = { cookie, "x-plinth-admin": "1", origin: "https://evil.example" };
      expect((await served().ask("GET", "/admin/api/boot", foreign)).status).to.equal(403);
      const crossing = { cookie, "x-plinth-admin": "1", "sec-fetch-site": "cross-site" };
      expect((await served().ask("GET", "/admin/api/boot", crossing)).status).to.equal(403);
    });

    it("refuses bodies that a form can send", async () => {
      const headers = await signIn(served().plinth.app, "super");
      const post = (type: string, body: string | FormData, more: Headers = {}) =>
        fetch(`${served().url}/admin/api/content/api::article.article`, {
          method: "POST",
          headers: { ...headers, ...(type === "" ? {} : { "content-type": type }), ...more },
          body,
        });
      const before = await fingerprint();
      for (const type of ["application/x-www-form-urlencoded", "text/plain"])
        expect((await post(type, "data[title]=x")).status, type).to.equal(415);
      const form = new FormData();
      form.set("data", "{}");
      const answer = await post("", form);
      expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).to.deep.equal([
        415,
        "PLINTH_ADMIN_BODY_TYPE",
      ]);
      expect(await fingerprint()).to.equal(before);
    });

    it("lets roles do what they may, and leaves the rest as it was", async () => {
      const { app } = served().plinth;
      const article = `/admin/api/content/api::article.article/${documentId}`;
      const [author, editor] = [await signIn(app, "author"), await signIn(app, "editor")];
      const before = await fingerprint();
      const made = { name: "more", type: "full-access", role: "super" };
      const refused: readonly (readonly [Headers, string, string, number, unknown?])[] = [
        [author, "GET", article, 404],
        [author, "DELETE", article, 404],
        [author, "POST", `${article}/actions/publish`, 403],
        [author, "POST", "/admin/api-tokens", 403, made],
        [editor, "POST", "/admin/api-tokens", 403, made],
        [editor, "GET", "/admin/api-tokens", 403],
        [editor, "GET", "/admin/permissions", 403],
      ];
      for (const [headers, method, path, status, body] of refused)
        expect((await served().ask(method, path, headers, body)).status, `${method} ${path}`).to.equal(status);
      expect(await fingerprint()).to.equal(before);
      expect((await served().ask("GET", article, editor)).body.data.title).to.equal("Secret");
    });

    it("shows nobody what keeps its own accounts, as if it were not there", async () => {
      const headers = await signIn(served().plinth.app, "super");
      for (const uid of ["plugin::api-tokens.admin", "plugin::admin.session", "plugin::admin.role"])
        expect((await served().ask("GET", `/admin/api/content/${uid}`, headers)).status, uid).to.equal(404);
    });

    it("keeps answers out of caches", async () => {
      const headers = await signIn(served().plinth.app, "editor");
      for (const [path, value] of [
        ["/admin/api/boot", "no-store"],
        ["/admin/api/sessions", "no-store"],
        ["/admin/api/content/api::article.article", "no-store"],
        ["/admin/api/model", "private, no-cache"],
      ] as const)
        expect((await served().ask("GET", path, headers)).headers.get("cache-control"), path).to.equal(value);
    });

    it("shows no secret in answers and in the log", async () => {
      const { app } = served().plinth;
      const { email } = await administratorOf(app, "super");
      const page = { "sec-fetch-site": "same-origin" };
      const { headers, text } = await served().ask("POST", "/admin/api/session", page, { email, password: PASSWORD });
      const secret = /\.([\w-]{43})/.exec(headers.getSetCookie()[0] ?? "")?.[1] ?? "";
      expect(secret).to.have.length(43);
      for (const said of [text, served().logged.join("\n")])
        expect(said).not.to.include(secret).and.not.to.include(PASSWORD);
    });
  });
});
