import { expect } from "chai";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eitherDatabase } from "../databases.js";
import { fingerprint } from "../plugins/content-api/hostile-requests.js";
import { type AuthApp, PASSWORD, serveAuthApp } from "../plugins/users-permissions/auth-app.js";
import { filterProbes, type Hidden, populateProbes, sortProbes } from "./vault/probes.js";

const NOTE = {
  kind: "collectionType" as const,
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  attributes: {
    title: { type: "string" },
    owner: { type: "relation", relation: "manyToOne", target: "plugin::users-permissions.user" },
  },
};

/** Signed in, notes and users can be found; by the public, notes alone. Nobody finds roles, permissions or sessions. */
const permissions = {
  public: ["api::note.note.*", "plugin::users-permissions.auth.*"],
  authenticated: ["api::note.note.*", "plugin::users-permissions.user.find", "plugin::users-permissions.user.me"],
};

const SECRET = ["password", "resetPasswordToken", "confirmationToken", "sessionVersion", "createdBy"];
const UNFINDABLE = [
  ["role"],
  ["role", "name"],
  ["role", "permissions", "action"],
  ["sessions"],
  ["role", "users", "email"],
];

eitherDatabase(import.meta.url, (database) => {
  describe("Nobody learns about accounts", () => {
    const setup = { plugins: [contentApiPlugin], app: { contentTypes: { "api::note.note": NOTE } } };
    const served = serveAuthApp(database, { setup, appConfig: { permissions } });
    let token: string;
    let ada: { id: number; documentId: string };
    let content: unknown;

    before("write a note of Ada's", async () => {
      ({ jwt: token, user: ada } = await served().register("ada"));
      await served()
        .plinth.app.documents("api::note.note")
        .create({ data: { title: "Alpha", owner: ada.id } });
    });
    beforeEach("look at the content", async () => {
      content = await fingerprint(served().plinth);
    });
    afterEach("the content is what it was", async () => {
      expect(await fingerprint(served().plinth)).to.deep.equal(content);
    });

    const probe = (path: readonly string[]): Hidden => ({ path, matching: "1", other: "987654" });

    it("by their secrets and roles, whether at their own address or through what they wrote", async () => {
      for (const path of [...SECRET.map((name) => [name]), ...UNFINDABLE]) {
        for (const [list, way] of [
          ["/api/users", probe(path)],
          ["/api/notes", probe(["owner", ...path])],
        ] as const) {
          for (const [matching, other] of [...filterProbes(way), ...sortProbes(way)])
            await expectAlike(served(), [`${list}?${matching}`, `${list}?${other}`], token);
          for (const [matching, other] of populateProbes(way))
            await expectAlike(served(), [`${list}?${matching}`, `${list}?${other}`], token);
        }
      }
    });

    it("by searching", async () => {
      for (const list of ["/api/users", "/api/notes"])
        for (const value of ["$2", "local", "Authenticated", "1"]) {
          const { status, body } = await served().ask("GET", `${list}?_q=${value}&populate=*`, { token });
          expect(status).to.equal(200);
          expect(JSON.stringify(body)).to.not.match(/password|sessionVersion|Token|"role"/);
        }
    });

    it("by linking to them or asking through a relation, where users cannot be found", async () => {
      for (const question of ["filters[owner][username]=", "filters[owner]=", "filters[owner][email][$startsWith]="]) {
        const [known, unknown] = [`/api/notes?${question}ada`, `/api/notes?${question}nobody`];
        const { status } = await expectAlike(served(), [known, unknown], undefined);
        expect(status).to.equal(400);
      }
      const answers = [];
      for (const owner of [ada.id, ada.documentId, 987_654, { connect: [ada.id] }, { connect: [{ id: 987_654 }] }])
        answers.push(await served().post("/api/notes", { data: { title: "Mine", owner } }));
      for (const { status, body } of answers) {
        expect(status).to.equal(400);
        expect(body).to.deep.equal(answers[0]?.body);
      }
    });

    it("and sets nothing of them by writing to what they wrote", async () => {
      for (const owner of [
        { id: ada.id, blocked: true },
        { connect: [{ id: ada.id, role: 1 }] },
        { set: [{ id: ada.id, password: PASSWORD }] },
      ]) {
        const { status } = await served().post("/api/notes", { data: { title: "Mine", owner } }, { token });
        expect(status, JSON.stringify(owner)).to.equal(400);
      }
    });
  });
});

async function expectAlike(app: AuthApp, [matching, other]: readonly [string, string], token: string | undefined) {
  const options = token ? { token } : {};
  const [first, second] = [await app.ask("GET", matching, options), await app.ask("GET", other, options)];
  expect([second.status, second.body], matching).to.deep.equal([first.status, first.body]);
  expect(first.status, matching).to.be.oneOf([200, 400]);
  if (!matching.includes("?populate")) expect(first.status, matching).to.equal(400);
  return first;
}
