/** The public entry of the import-strapi plugin: the plugin itself. */
import { definePlugin } from "@plinth/core";
import { importCommand } from "./command.js";

/** Brings content over from a Strapi 5 app: `plinth import strapi`. A server loads nothing of it but the command's words. */
export const importStrapiPlugin = definePlugin({ name: "import-strapi", commands: { "import strapi": importCommand } });

export default importStrapiPlugin;
