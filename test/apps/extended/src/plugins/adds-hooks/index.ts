import { definePlugin, hook, transformInput, writeHooks } from "@plinth/core";

/** Others correct the number of words of a text. */
export const transformWords = hook.waterfall<number, { readonly text: string }>(
  "adds-hooks:transformWords",
  "The words of a note, before they are stored.",
);

/** Counts the words of notes, and refuses to delete the note that everybody needs. */
export default definePlugin({
  name: "adds-hooks",
  dependsOn: ["adds-attributes"],
  hooks: [transformWords],
  register({ app, on }) {
    const about = ["api::note.note"];
    on(
      transformInput,
      async (data) => {
        const { text } = data;
        if (typeof text !== "string") return data;
        const words = text.split(/\s+/).filter((word) => word !== "").length;
        return { ...data, words: await app.hooks.waterfall(transformWords, words, { text }) };
      },
      { about },
    );
    on(
      writeHooks.delete.before,
      async ({ uid, documentId }) => {
        const note = await app.documents(uid).findOne({ documentId });
        if (note?.["text"] === "Keep me") throw new TypeError("this note stays");
      },
      { about },
    );
  },
});
