import type { ContentModel } from "../../schema/model.js";
import { type ExportedSetting, STRAPI } from "./export-format.js";
import type { ExportIndex } from "./export-index.js";
import { supportsTokens } from "./import-content.js";
import type { Issues } from "./issues.js";

/** Settings that people may have changed, and where their like is here. */
const SETTINGS: Readonly<Record<string, string>> = {
  "plugin_users-permissions_grant": "other sign-in providers are configured in config/plugins",
  "plugin_users-permissions_email": "templates of mails are in config/plugins, at users-permissions",
  "plugin_users-permissions_advanced": "registration and confirmation are in config/plugins, at users-permissions",
  plugin_upload_settings: "how images are treated is in config/plugins, at upload",
};

/** Reports what an export does not hold, or this server keeps elsewhere. */
export function reportSkipped(
  {
    index,
    settings,
    model,
  }: {
    readonly index: ExportIndex;
    readonly settings: readonly ExportedSetting[];
    readonly model: ContentModel;
  },
  issues: Issues,
): void {
  for (const { type, value } of settings) {
    const where = SETTINGS[String(value?.key)];
    if (where !== undefined) issues.add(`setting ${value.key}`, `it is left out: ${where}`);
    if (type === "webhook") issues.add("webhook", "webhooks are left out: a hook of the app can call an address");
  }
  if (index.kept(STRAPI.token).length === 0)
    issues.add("API tokens", "they are in no export: make new ones with `plinth token create`");
  else if (!supportsTokens(model)) issues.add("API tokens", "they are left out: enable the plugin api-tokens");
  issues.add("administrators", "they are in no export: make accounts with `plinth admin create`");
}
