import { definePlugin } from "@plinth/core";

/** `plinth notes add <text>` and `plinth notes count`. */
export default definePlugin({
  name: "adds-commands",
  commands: {
    "notes add": {
      description: "write a note",
      arguments: ["<text>"],
      async run({ app, arguments: { text }, print }) {
        const { documentId } = await app.documents("api::note.note").create({ data: { text } });
        print(documentId);
      },
    },
    "notes count": {
      description: "say how many notes there are",
      options: { "--json": "as JSON" },
      async run({ app, options, print, table }) {
        const notes = await app.documents("api::note.note").count();
        print(options["json"] ? JSON.stringify({ notes }) : table(["NOTES"], [[String(notes)]]));
      },
    },
  },
});
