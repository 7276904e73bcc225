import type { Command } from "@plinth/core";
import { history } from "./contract.js";

/** `plinth history prune`: what the clock does where there are jobs. */
const pruneCommand: Command = {
  description: "delete versions beyond the number and the age that are kept",
  async run({ app, print }) {
    const count = await app.service(history).prune();
    print(`${count} ${count === 1 ? "version is" : "versions are"} deleted.`);
  },
};

/** `plinth history forget`: somebody wants their data gone. */
const forgetCommand: Command = {
  description: "delete all versions of a document; the document itself stays as it is",
  arguments: ["<type>", "<documentId>"],
  async run({ app, arguments: { type = "", documentId = "" }, print }) {
    const count = await app.service(history).forget(type, documentId);
    print(`${count} ${count === 1 ? "version is" : "versions are"} deleted.`);
  },
};

/** The commands of the plugin. */
export const commands: Readonly<Record<string, Command>> = {
  "history prune": pruneCommand,
  "history forget": forgetCommand,
};
