import type { Command } from "@plinth/core";
import { events } from "./contract.js";

/** `plinth events ...`. */
export const commands: Readonly<Record<string, Command>> = {
  "events consumers": {
    description: "list who consumes events, and how far each has come",
    options: { "--json": "as JSON" },
    async run({ app, options, print, table }) {
      const consumers = await app.service(events).consumers();
      if (options["json"]) return print(JSON.stringify(consumers, null, 2));
      const rows = consumers.map(({ name, place, behind, at }) => [name, String(place), String(behind), at]);
      print(table(["CONSUMER", "PLACE", "BEHIND", "LAST"], rows));
    },
  },
  "events skip": {
    description: "let a consumer go on with what comes, and leave out what it has not handled",
    arguments: ["<consumer>"],
    async run({ app, arguments: { consumer = "" }, say }) {
      await app.service(events).skip(consumer);
      say(`${consumer} goes on with what comes`);
    },
  },
};
