import { type CaughtWebhook, catchWebhooks, type WebhookCatcher } from "@plinth/test-kit";
import { expect } from "chai";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { webhooks, webhooksPlugin } from "@plinth/plugin-webhooks";
import { eventually } from "../core/database/driver/note-app.js";
import { eitherDatabase } from "../databases.js";
import { ADMIN, serveVault } from "./vault/vault-app.js";

const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
const all = { url: "http://hooks.example/all", events: ["*"], secrets: [SECRET], content: true };
const ENDPOINTS = {
  all,
  thin: { ...all, url: "http://hooks.example/thin", content: false },
  strapi: { ...all, url: "http://hooks.example/strapi", format: "strapi" },
  people: { ...all, url: "http://hooks.example/people", types: ["api::person.person"] },
};

/** What no body may have in it, in keys or values. */
const CLOSED =
  /"(?:diary|pin|owner|dossier|people|mentions|person|createdBy|updatedBy)":|"needle"|Needle-1|\$2[aby]\$|whsec_/;

eitherDatabase(import.meta.url, (database) => {
  describe("Webhooks say no more than the public form of a document", () => {
    let caught: WebhookCatcher;
    before("start a receiver", async () => {
      caught = await catchWebhooks();
      config.sendTo = caught.url;
    });
    after("stop it", () => caught?.stop());
    const config = { http: true, sendTo: "" };
    const vault = serveVault(database, {
      plugins: [contentApiPlugin, graphqlPlugin, jobsPlugin, eventsPlugin, webhooksPlugin],
      pluginConfigs: { webhooks: config },
      config: {
        log: { level: "silent" },
        server: { port: 0 },
        i18n: { defaultLocale: "en", locales: ["en", "fr"] },
        database: database.config(),
        access: { tokens: { [ADMIN]: "all" } },
        webhooks: ENDPOINTS,
      },
    });
    const at = (path: string): readonly CaughtWebhook[] => caught.all.filter((hook) => hook.path === path);
    const delivered = async () =>
      await eventually(async () => {
        const waiting = await vault().plinth.app.service(webhooks).deliveries({ state: "waiting" });
        expect(waiting).to.deep.equal([]);
        expect(at("/all").some(({ body }) => body.type === "entry.delete")).to.equal(true);
      }, 60_000);

    it("whatever is done to it", async () => {
      const { ask, kept } = vault();
      const path = `/api/notes/${kept.shownNote.documentId}`;
      await ask(
        "PUT",
        path,
        { title: "Gamma", diary: "needle", detail: { text: "new", diary: "needle", pin: "Needle-1" } },
        ADMIN,
      );
      await ask("PUT", `${path}?locale=fr`, { title: "Delta" }, ADMIN);
      await ask("DELETE", `/api/notes/${kept.hiddenNote.documentId}`, undefined, ADMIN);
      await delivered();
      for (const { text, path: where } of caught.all) expect(text, where).to.not.match(CLOSED);
      const entries = at("/all").filter(({ body }) => body.data.uid === "api::note.note");
      expect(entries.length).to.be.greaterThan(4);
      for (const { body } of entries) expect(JSON.stringify(body)).to.include('"title"');
      expect(at("/thin").some(({ text }) => /title|entry"/.test(text))).to.equal(false);
    });

    it("neither by their headers, which are equal but for what cannot be counted with", () => {
      const OWN = ["webhook-id", "webhook-timestamp", "webhook-signature", "content-length", "x-strapi-event"];
      const others = new Set(
        caught.all.map(({ headers }) =>
          JSON.stringify(Object.entries(headers).filter(([name]) => !OWN.includes(name) && name !== "traceparent")),
        ),
      );
      expect([...others]).to.have.length(1);
      for (const { headers } of caught.all) {
        const id = headers["webhook-id"] ?? "";
        expect(id).to.match(/^evt_[\w-]{22}$/);
        // Those of a number in the clear would be zero but for a few.
        expect(new Set(Buffer.from(id.slice(4), "base64url")).size).to.be.greaterThan(8);
      }
      const ids = at("/all").map(({ headers }) => headers["webhook-id"]);
      expect(new Set(ids).size).to.equal(ids.length);
      expect(at("/people").every(({ headers }) => ids.includes(headers["webhook-id"]))).to.equal(true);
    });

    it("neither by the number of events", () => {
      const count = (path: string, uid?: string) =>
        at(path).filter(({ body }) => uid === undefined || (body.uid ?? body.data.uid) === uid).length;
      expect(count("/people")).to.equal(count("/all", "api::person.person"));
      expect(count("/people", "api::note.note")).to.equal(0);
      expect(count("/thin")).to.equal(count("/all"));
    });
  });
});
