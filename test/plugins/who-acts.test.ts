import {
  codeOrigin,
  definePlugin,
  type RawContentType,
  transformInput,
  type WriteOrigin,
  withOrigin,
  writeHooks,
} from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { uploadPlugin } from "@plinth/plugin-upload";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { eitherDatabase } from "../databases.js";

const NOTE = "api::note.note";
const USER = "plugin::users-permissions.user";
const FILE = "plugin::upload.file";

const note: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  options: { draftAndPublish: true },
  attributes: {
    text: { type: "string" },
    reviewedAt: { type: "datetime", writable: false },
    owner: { type: "relation", relation: "manyToOne", target: USER },
  },
};

type Heard = readonly [string, WriteOrigin];

/** Says who acts, wherever hooks are told. */
const listening = (heard: Heard[]) =>
  definePlugin({
    name: "listening",
    register: ({ on }) => {
      const about = { about: [NOTE, USER, FILE] };
      on(
        transformInput,
        (data, { origin }) => {
          heard.push(["transformInput", origin]);
          return data;
        },
        about,
      );
      for (const [write, { before, along, after, on: done }] of Object.entries(writeHooks)) {
        for (const stage of [before, after, done]) on(stage, ({ origin }) => void heard.push([write, origin]), about);
        on(
          along,
          ({ origin }) => {
            heard.push([write, origin]);
            return [];
          },
          about,
        );
      }
    },
    controllers: {
      sheet: ({ app }) => ({
        add: () => app.documents(NOTE).create({ data: { text: "by a route" } }),
        remind: () => withOrigin(codeOrigin, () => app.documents(NOTE).create({ data: { text: "by itself" } })),
      }),
    },
    routes: [
      { method: "POST", path: "/sheets", handler: "sheet.add" },
      { method: "POST", path: "/reminders", handler: "sheet.remind" },
    ],
  });

describe("who acts", () => {
  eitherDatabase(import.meta.url, (database) => {
    const heard: Heard[] = [];
    let test: TestApp;
    let ada: { readonly id: number; readonly documentId: string };
    let bob: { readonly id: number; readonly documentId: string };
    before("start an app", async () => {
      const listener = listening(heard);
      test = await createTestApp({
        plugins: [contentApiPlugin, graphqlPlugin, uploadPlugin, usersPermissionsPlugin, listener],
        app: { contentTypes: { [NOTE]: note } },
        database: database.config(),
      });
      const users = test.app.documents(USER);
      const make = (username: string) =>
        users.create({ data: { username, email: `${username}@example.org`, password: "Analytical-1" } });
      ada = await make("ada");
      bob = await make("bob");
    });
    beforeEach(() => {
      heard.length = 0;
    });
    after("stop it", () => test?.stop());

    const everything = () => test.as("all", ada);
    const actor = () => ({ kind: "user", id: ada.documentId });
    /** What all hooks heard, which is the same. */
    const origin = (): WriteOrigin => {
      const [first] = heard;
      expect(heard.length).to.be.greaterThan(0);
      for (const [, other] of heard) expect(other).to.deep.equal(first?.[1]);
      return first?.[1] as WriteOrigin;
    };

    it("is in every hook of a document over REST, with the request", async () => {
      const made = await everything().post("/api/notes", { data: { text: "a" } });
      expect(made.status).to.equal(201);
      expect(origin()).to.deep.include({
        transport: "rest",
        actor: actor(),
        requestId: made.headers.get("x-request-id"),
      });
      expect(new Set(heard.map(([hook]) => hook))).to.deep.equal(new Set(["transformInput", "create", "publish"]));
      const { documentId } = made.body.data;
      for (const [method, path] of [
        ["PUT", `/api/notes/${documentId}`],
        ["POST", `/api/notes/${documentId}/actions/unpublish`],
        ["DELETE", `/api/notes/${documentId}`],
      ] as const) {
        heard.length = 0;
        await everything().request(method, path, { body: { data: {} } });
        expect(origin(), path).to.deep.include({ transport: "rest", actor: actor() });
      }
    });

    it("is the public, or a token, where nobody has signed in", async () => {
      await test.as("all").post("/api/notes", { data: { text: "a" } });
      expect(origin().actor).to.deep.equal({ kind: "token", id: undefined });
    });

    it("is there over GraphQL, and with files and users", async () => {
      const answer = await everything().graphql('mutation { createNote(data: { text: "a" }) { documentId } }');
      expect(answer.body.errors).to.equal(undefined);
      expect(origin()).to.deep.include({ transport: "graphql", actor: actor() });
      heard.length = 0;
      expect((await everything().upload([{ name: "a.txt", content: "a" }])).status).to.equal(201);
      expect(origin()).to.deep.include({ transport: "rest", actor: actor() });
      heard.length = 0;
      expect((await everything().put(`/api/users/${bob.id}`, { blocked: false })).status).to.equal(200);
      expect(origin()).to.deep.include({ transport: "rest", actor: actor() });
    });

    it("is that of the request in all code that it runs, but for code that says it acts by itself", async () => {
      const made = await everything().post("/api/listening/sheets");
      expect(origin()).to.deep.include({ transport: "rest", actor: actor() });
      expect(origin().requestId).to.equal(made.headers.get("x-request-id"));
      heard.length = 0;
      await everything().post("/api/listening/reminders");
      expect(origin()).to.deep.equal({ transport: "code" });
    });

    describe("sets what a rule says, whatever the body says", () => {
      const owning = (action: string) => ({ action: `${NOTE}.${action}`, set: { owner: "{{user.id}}" } });
      const ownerOf = async (documentId: string) => {
        const found = await test.app.documents(NOTE).findOne({ documentId, populate: { owner: true } });
        return (found?.["owner"] as { readonly documentId: string } | null)?.documentId;
      };

      it("over REST and GraphQL, to a user that the writer may not even find", async () => {
        const writer = test.as([owning("create"), `${NOTE}.findOne`], ada);
        for (const data of [{ text: "a" }, { text: "b", owner: bob.documentId }, { text: "c", owner: null }]) {
          const { status, body } = await writer.post("/api/notes", { data });
          expect(status).to.equal(201);
          expect(await ownerOf(body.data.documentId)).to.equal(ada.documentId);
        }
        const { body } = await writer.graphql('mutation { createNote(data: { text: "d" }) { documentId } }');
        expect(await ownerOf(body.data.createNote.documentId)).to.equal(ada.documentId);
        const open = test.as([`${NOTE}.create`, `${NOTE}.findOne`], ada);
        const refused = await open.post("/api/notes", { data: { text: "e", owner: bob.documentId } });
        expect(refused.status).to.equal(400);
      });

      it("beside its limits on rows and attributes, and where clients may not write", async () => {
        const create = {
          ...{ action: `${NOTE}.create`, where: { owner: { id: "{{user.id}}" } }, fields: ["text"] },
          set: { owner: "{{user.documentId}}", reviewedAt: "{{now}}" },
        };
        const { status, body } = await test.as([create], ada).post("/api/notes", { data: { text: "a" } });
        expect(status).to.equal(201);
        expect(await ownerOf(body.data.documentId)).to.equal(ada.documentId);
        const found = await test.app.documents(NOTE).findOne({ documentId: body.data.documentId });
        expect(Date.parse(String(found?.["reviewedAt"]))).to.be.closeTo(Date.now(), 60_000);
      });

      it("at each update", async () => {
        const { documentId } = await test.app.documents(NOTE).create({ data: { text: "a", owner: ada.documentId } });
        const writer = test.as([owning("update"), `${NOTE}.findOne`], bob);
        expect((await writer.put(`/api/notes/${documentId}`, { data: { text: "b" } })).status).to.equal(200);
        expect(await ownerOf(documentId)).to.equal(bob.documentId);
      });

      it("and refuses who is nobody", async () => {
        const { status } = await test.as([owning("create")]).post("/api/notes", { data: { text: "a" } });
        expect(status).to.equal(403);
      });
    });

    it("stops the start where a rule sets what there is not", async () => {
      const problemsOf = (item: object) => test.app.permissions.problemsOf([item as never], "permissions.public");
      const rule = (action: string, set: unknown) => problemsOf({ action: `${NOTE}.${action}`, set });
      expect(rule("create", { owner: "{{user.id}}" })).to.deep.equal([]);
      const messages = [
        rule("find", { owner: 1 }),
        rule("create", "owner"),
        rule("create", { owner: "{{owner}}" }),
        rule("update", { owners: 1 }),
      ].map(([problem]) => `${problem?.path} ${problem?.message}`);
      expect(messages[0]).to.include("find writes no attributes; leave set out");
      expect(messages[1]).to.include("must be values by attribute");
      expect(messages[2]).to.include('"owner" is not a value');
      expect(messages[3]).to.include('set.owners api::note.note has no attribute "owners" to set');
    });
  });
});
