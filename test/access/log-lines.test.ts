import { createTestApp, type TestApp } from "@plinth/test-kit";
import type { HttpContext } from "@plinth/core";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { expect } from "chai";
import { pino } from "pino";
import { adminPlugin } from "@plinth/plugin-admin";
import { administrators, apiTokens, apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { uploadPlugin } from "@plinth/plugin-upload";
import { jsonLines } from "#core/app/create-log.js";
import { markReadable } from "#core/http/request-log.js";

const SECRET = "one secret for all, which no app should have";
const PASSWORD = "Passw0rd-of-nobody";
const NOTE = {
  kind: "collectionType" as const,
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  attributes: { title: { type: "string" }, rank: { type: "integer" } },
};
/** Every API, reads and writes, what exists and what does not. */
const PATHS = [
  ...["/api/notes", "/api/notes/x", "/api/nothing", "/graphql", "/api/auth/local", "/api/auth/reset-password"],
  ...["/api/auth/email-confirmation", "/api/users/me", "/api/upload", "/api/files", "/uploads/x", "/api/fails"],
  ...["/admin/login", "/admin/api-tokens", "/admin/api/session", "/admin", "/"],
];

describe("the log of an app that gets credentials at every place", () => {
  const lines: string[] = [];
  let test: TestApp;
  let secrets: Readonly<Record<string, string>>;

  before("start the app", async () => {
    test = await createTestApp({
      plugins: [contentApiPlugin, graphqlPlugin, usersPermissionsPlugin, apiTokensPlugin, uploadPlugin, adminPlugin],
      app: {
        contentTypes: { "api::note.note": NOTE },
        routes: {
          fails: {
            ...{ method: "GET", path: "/fails", config: { auth: false } },
            handler: ({ headers, url }: HttpContext) => {
              throw new TypeError(`${headers.authorization} ${headers.cookie} ${url}`);
            },
          },
        },
      } as never,
      pluginConfigs: {
        "users-permissions": { jwtSecret: SECRET, rateLimit: { max: 100_000 } },
        "api-tokens": { salt: SECRET, adminSecret: SECRET, loginLimit: 1000 },
      },
      config: { permissions: { public: ["api::note.note.find", "api::note.note.create"] } },
      // Marked, so that it has all that people see as well.
      configure: (setup) => ({
        ...setup,
        log: markReadable(pino({ level: "trace", ...jsonLines }, { write: (line: string) => void lines.push(line) })),
      }),
    });
    secrets = await obtainSecrets(test);
  });
  after("stop the app", () => test.stop());

  for (const name of ["user", "API token", "administrator"])
    it(`has no ${name}'s token, wherever it was sent`, async () => {
      const secret = secrets[name] ?? "";
      expect(secret, name).to.have.length.greaterThan(40);
      lines.length = 0;
      for (const path of PATHS) for (const send of PLACES) await send(test.url + path, secret);
      expect(lines).to.have.length.greaterThan(PATHS.length * PLACES.length - 1);
      expect(lines.filter((line) => line.includes(secret))).to.deep.equal([]);
      // Nor a good part of it.
      const parts = [secret.slice(0, 40), secret.slice(-40)];
      expect(lines.filter((line) => parts.some((part) => line.includes(part)))).to.deep.equal([]);
    });

  it("has no passwords, nor the headers that tokens are sent in", async () => {
    lines.length = 0;
    const body = { identifier: "ada", email: "root@example.com", password: PASSWORD };
    for (const path of ["/api/auth/local", "/admin/login"]) await test.public.post(path, body);
    expect(lines).to.have.length(2);
    expect(lines.join("")).not.to.match(/Passw0rd|authorization|cookie/i);
  });

  it("names whose token it was", async () => {
    lines.length = 0;
    const client = test.withBearer(secrets["API token"] ?? "");
    await client.get("/api/notes");
    await client.graphql("{ notes { title } }");
    await client.graphql('mutation { createNote(data: { title: "a" }) { title } }');
    const said = lines.map((line) => JSON.parse(line) as { readonly actor: { readonly id: string } });
    expect(said.map(({ actor }) => actor.id)).to.deep.equal(new Array(3).fill(secrets["id of the API token"]));
    expect(said[0]).to.include({ api: "rest", operation: "find" });
    expect(said[1]).to.include({ api: "graphql", operation: "query" });
    expect(said[2]).to.include({ api: "graphql", operation: "mutation" });
  });
});

async function obtainSecrets({ app, public: client }: TestApp): Promise<Readonly<Record<string, string>>> {
  const ada = { username: "ada", email: "ada@example.com", password: PASSWORD };
  const { body: user } = await client.post("/api/auth/local/register", ada);
  const token = await app.service(apiTokens).create({ name: "all", type: "full-access" });
  await app.service(administrators).create("root@example.com", PASSWORD);
  const { body: login } = await client.post("/admin/login", { email: "root@example.com", password: PASSWORD });
  return {
    user: user.jwt,
    "API token": token.accessKey ?? "",
    "id of the API token": token.documentId,
    administrator: login.token,
  };
}

type Send = (url: string, secret: string) => Promise<unknown>;

const ask = async (url: string, init: RequestInit): Promise<void> => {
  const answer = await fetch(url, { redirect: "manual", ...init });
  await answer.arrayBuffer();
};

const asJson = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** Where a client may send its token, rightly or wrongly. */
const PLACES: readonly Send[] = [
  (url, secret) => ask(url, { headers: { authorization: `Bearer ${secret}` } }),
  (url, secret) => ask(url, { headers: { authorization: secret, "proxy-authorization": secret, "x-api-key": secret } }),
  (url, secret) => ask(url, { headers: { cookie: `jwt=${secret}; plinth_session=${secret}` } }),
  (url, secret) => ask(url, { headers: { referer: `http://x/?t=${secret}`, "user-agent": secret, origin: secret } }),
  (url, secret) => ask(url, { headers: { traceparent: secret, "plinth-position": secret, "if-match": secret } }),
  ...["access_token", "token", "code", "confirmation", "filters[title]", "filters[rank]", "sort", "populate"].map(
    (key): Send =>
      (url, secret) =>
        ask(`${url}?${key}=${secret}`, {}),
  ),
  (url, secret) => ask(`${url}?${secret}`, {}),
  (url, secret) => ask(`${url}?filters[${secret}]=1&${secret}=1`, {}),
  (url, secret) => ask(`${url}/${secret}`, {}),
  (url, secret) => ask(`${url}/${secret}`, { method: "DELETE" }),
  (url, secret) => ask(url, asJson({ data: { title: secret, rank: secret, [secret]: 1 }, [secret]: secret })),
  (url, secret) => ask(url, asJson({ identifier: secret, password: secret, code: secret, query: `{ ${secret} }` })),
  (url, secret) => ask(url, asJson({ query: `query ($a: ID = "${secret}") { note(documentId: $a) { title } }` })),
  (url, secret) => ask(url, { method: "POST", body: secret, headers: { "content-type": "application/json" } }),
];
