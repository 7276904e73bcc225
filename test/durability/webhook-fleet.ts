import { createPlinth, type DatabaseConfig, type PlinthApp, type RawContentType } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { webhooksPlugin } from "@plinth/plugin-webhooks";
import { pino } from "pino";

/** The environment variable with the address of the receiver. */
export const RECEIVER = "PLINTH_TEST_RECEIVER";

const note: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  attributes: { text: { type: "string" } },
};

const SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

/** An app of notes that everybody may write, and that a receiver gets. */
export function makeWebhookFleet(database: DatabaseConfig, receiver: string): PlinthApp {
  const endpoint = { url: receiver, events: ["entry.*"], secrets: [SECRET], content: true };
  return createPlinth({
    ...{ root: "/nowhere", environment: "test", log: pino({ level: "fatal" }) },
    plugins: [contentApiPlugin, jobsPlugin, eventsPlugin, webhooksPlugin],
    app: { contentTypes: { "api::note.note": note } },
    config: {
      database,
      server: { host: "127.0.0.1", port: 0, closeTimeout: 5_000 },
      access: { public: "all" },
      webhooks: { receiver: endpoint },
    },
    pluginConfigs: {
      webhooks: {
        http: true,
        allow: ["127.0.0.1"],
        schedule: Array.from({ length: 100 }, (_, n) => (n === 0 ? 0 : 0.3)),
      },
    },
  });
}
