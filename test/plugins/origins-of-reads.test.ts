import {
  aroundOperation,
  definePlugin,
  type RawContentType,
  transformOutput,
  type WriteOrigin,
  writeHooks,
} from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";

const NOTE = "api::note.note";
const VISIT = "api::visit.visit";

const type = (name: string, attributes: NonNullable<RawContentType["attributes"]>): Omit<RawContentType, "uid"> => ({
  kind: "collectionType",
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
});

describe("where writes of hooks on reads come from", () => {
  const heard: WriteOrigin[] = [];
  const around: (WriteOrigin | undefined)[] = [];
  const visiting = definePlugin({
    name: "visiting",
    register: ({ on, app }) => {
      const visit = () => app.documents(VISIT).create({ data: {} });
      on(
        aroundOperation,
        async ({ origin }, next) => {
          around.push(origin);
          await visit();
          return await next();
        },
        { about: [NOTE] },
      );
      on(writeHooks.create.before, ({ origin }) => void heard.push(origin), { about: [VISIT] });
      on(transformOutput(NOTE), async (document) => {
        await visit();
        return document;
      });
    },
  });
  let test: TestApp;

  before("start an app whose reads write", async () => {
    test = await createTestApp({
      plugins: [contentApiPlugin, visiting],
      app: { contentTypes: { [NOTE]: type("note", { text: { type: "string" } }), [VISIT]: type("visit", {}) } },
    });
  });
  after("stop it", () => test?.stop());

  it("is the request that reads, with and without a koa context", async () => {
    const { documentId } = await test.app.documents(NOTE).create({ data: { text: "a" } });
    const ada = test.as("all", { id: 7, documentId: "ada" });
    const last = documentId.slice(-1).charCodeAt(0).toString(16);
    for (const path of [`/api/notes/${documentId}`, `/api/notes/${documentId.slice(0, -1)}%${last}`]) {
      heard.length = 0;
      around.length = 0;
      const headers = { "x-request-id": "reading" };
      expect((await ada.get(path, { headers })).status, path).to.equal(200);
      const expected = { transport: "rest", actor: { kind: "user", id: "ada" }, requestId: "reading" };
      expect(heard).to.have.length(2);
      for (const origin of heard) expect(origin).to.deep.include(expected);
      expect(around).to.have.length(1);
      expect(around[0]).to.deep.include(expected);
    }
  });
});
