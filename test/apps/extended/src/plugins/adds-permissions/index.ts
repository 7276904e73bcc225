import { definePlugin } from "@plinth/core";

/** What everybody may, and what whoever has signed in may: only short notes can be written. */
export default definePlugin({
  name: "adds-permissions",
  dependsOn: ["adds-routes", "adds-attributes"],
  permissions: {
    reading: { public: ["api::note.note.find", "plugin::adds-routes.length.show"] },
    writing: { authenticated: [{ action: "api::note.note.create", where: { words: { $lt: 3 } } }] },
  },
});
