import { definePlugin } from "@plinth/core";

/** An attribute for a type of the app, and one for a type of another plugin. */
export default definePlugin({
  name: "adds-attributes",
  after: ["users-permissions"],
  register({ registry }) {
    const types = registry("content-type");
    types.extend("api::note.note", (type) => ({
      ...type,
      attributes: { ...type.attributes, words: { type: "integer", min: 0 } },
    }));
    types.extend("plugin::users-permissions.user", (type) => ({
      ...type,
      attributes: { ...type.attributes, motto: { type: "string", maxLength: 80 } },
    }));
  },
});
