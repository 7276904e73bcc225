import type { RawContentType } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { i18nPlugin } from "@plinth/plugin-i18n";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { eitherDatabase } from "../databases.js";

const NOTE = "api::note.note";
const TEAM = "api::team.team";
const USER = "plugin::users-permissions.user";
const localized = { pluginOptions: { i18n: { localized: true } } };

const note: Omit<RawContentType, "uid"> = {
  ...{ kind: "collectionType", options: { draftAndPublish: false }, ...localized },
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  attributes: {
    text: { type: "string", ...localized },
    state: { type: "string", ...localized },
    origin: { type: "string" },
    owner: { type: "relation", relation: "manyToOne", target: USER, ...localized },
    team: { type: "relation", relation: "manyToOne", target: TEAM, inversedBy: "notes" },
  },
};

const team: Omit<RawContentType, "uid"> = {
  ...{ kind: "collectionType", options: { draftAndPublish: false } },
  info: { singularName: "team", pluralName: "teams", displayName: "Team" },
  attributes: {
    name: { type: "string" },
    notes: { type: "relation", relation: "oneToMany", target: NOTE, mappedBy: "team" },
  },
};

describe("values that a rule presets", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    let ada: { readonly id: number; readonly documentId: string };
    let bob: { readonly id: number; readonly documentId: string };
    before("start an app", async () => {
      test = await createTestApp({
        plugins: [contentApiPlugin, i18nPlugin, usersPermissionsPlugin],
        app: { contentTypes: { [NOTE]: note, [TEAM]: team } },
        config: { i18n: { defaultLocale: "en", locales: ["en", "fr"] } },
        database: database.config(),
      });
      const make = (username: string) =>
        test.app
          .documents(USER)
          .create({ data: { username, email: `${username}@example.org`, password: "Analytical-1" } });
      ada = await make("ada");
      bob = await make("bob");
    });
    after("stop it", () => test?.stop());
    const read = async (documentId: string, locale = "en"): Promise<Readonly<Record<string, unknown>>> => {
      const found = await test.app.documents(NOTE).findOne({ documentId, locale, populate: ["owner", "team"] });
      if (!found) throw new TypeError(documentId);
      const idOf = (name: string) => (found[name] as { readonly documentId: string } | null)?.documentId;
      return { ...found, owner: idOf("owner"), team: idOf("team") };
    };

    it("are those of a new document where an update starts a language, but for what all languages share", async () => {
      const set = { owner: "{{user.id}}", state: "new", origin: "web" };
      const bobs = test.as([{ action: `${NOTE}.create`, set }, `${NOTE}.update`, `${NOTE}.findOne`], bob);
      const { documentId } = await test.app
        .documents(NOTE)
        .create({ data: { text: "a", origin: "paper", owner: ada.documentId } });
      const data = { text: "b", state: "done" };
      const { status } = await bobs.put(`/api/notes/${documentId}?locale=fr`, { data });
      expect(status).to.equal(200);
      const french = await read(documentId, "fr");
      expect(french).to.include({ text: "b", state: "new", origin: "paper" });
      expect(french["owner"]).to.equal(bob.documentId);
      await bobs.put(`/api/notes/${documentId}?locale=fr`, { data });
      expect(await read(documentId, "fr")).to.include({ state: "done" });
    });

    it("let an owner translate what is the owner's, by the rules of the guide", async () => {
      const mine = { owner: { id: "{{user.id}}" } };
      const adas = test.as(
        [
          { action: `${NOTE}.create`, set: { owner: "{{user.id}}" } },
          { action: `${NOTE}.update`, where: mine, fields: ["text"] },
          `${NOTE}.findOne`,
        ],
        ada,
      );
      const { body } = await adas.post("/api/notes", { data: { text: "a" } });
      const { documentId } = body.data;
      expect((await adas.put(`/api/notes/${documentId}?locale=fr`, { data: { text: "b" } })).status).to.equal(200);
      expect(await read(documentId, "fr")).to.include({ owner: ada.documentId });
    });

    it("of an update come before those of a create where both name an attribute", async () => {
      const rule = (action: string, state: string) => ({ action: `${NOTE}.${action}`, set: { state } });
      const writer = test.as([rule("create", "new"), rule("update", "changed"), `${NOTE}.findOne`], ada);
      const { documentId } = await test.app.documents(NOTE).create({ data: { text: "a" } });
      await writer.put(`/api/notes/${documentId}?locale=fr`, { data: { text: "b" } });
      expect(await read(documentId, "fr")).to.include({ state: "changed" });
    });

    it("are not written from the other side of a relation", async () => {
      const teams = test.app.documents(TEAM);
      const [own, other] = [
        await teams.create({ data: { name: "own" } }),
        await teams.create({ data: { name: "other" } }),
      ];
      const { documentId } = await test.app.documents(NOTE).create({ data: { text: "a", team: own.documentId } });
      const writer = test.as(
        [
          { action: `${NOTE}.update`, set: { team: own.documentId } },
          ...[`${NOTE}.find`, `${TEAM}.update`, `${TEAM}.create`, `${TEAM}.find`],
        ],
        ada,
      );
      const connect = { data: { notes: { connect: [documentId] } } };
      expect((await writer.put(`/api/teams/${other.documentId}`, connect)).status).to.equal(403);
      expect((await writer.post("/api/teams", { data: { name: "third", notes: [documentId] } })).status).to.equal(403);
      expect((await writer.put(`/api/teams/${other.documentId}`, { data: { name: "renamed" } })).status).to.equal(200);
      expect(await read(documentId)).to.include({ team: own.documentId });
    });
  });
});
