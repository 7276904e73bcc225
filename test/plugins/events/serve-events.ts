// A process of its own that serves notes and consumes their events: its one argument is the DatabaseConfig as JSON.
import { createPlinth, type DatabaseConfig, isPlinthError } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { events, eventsPlugin } from "@plinth/plugin-events";
import { pino } from "pino";

const NOTE = "api::note.note";

const plinth = createPlinth({
  root: import.meta.dirname,
  environment: "test",
  plugins: [contentApiPlugin, eventsPlugin],
  app: {
    contentTypes: {
      [NOTE]: {
        kind: "collectionType",
        info: { singularName: "note", pluralName: "notes", displayName: "Note" },
        attributes: { n: { type: "integer" } },
      },
    },
    bootstrap: ({ app, service }) => {
      service(events).consume("handled", { types: ["entry.*"], batch: 5 }, async (batch) => {
        const text = "insert into handled (event) select unnest($1::bigint[])";
        await app.db.query({ text, values: [batch.map(({ id }) => id)] });
      });
    },
  },
  config: {
    server: { host: "127.0.0.1", port: 0 },
    access: { public: "all" },
    database: JSON.parse(process.argv[2] ?? "") as DatabaseConfig,
  },
  log: pino({ level: "silent" }),
});
process.once("disconnect", () => void plinth.stop());
try {
  process.send?.({ url: (await plinth.start()) ?? "" });
} catch (error) {
  process.send?.({ failed: isPlinthError(error) ? error.message : String(error) });
  process.disconnect();
}
