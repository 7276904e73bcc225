import { isObject } from "../source/check-line.js";
import type { ContentModel } from "@plinth/core/schema";
import type { Issues } from "../issues.js";
import { type ExportedSetting, STRAPI } from "../source/export-format.js";
import type { ExportIndex } from "../source/export-index.js";
import { supportsTokens } from "../write/import-people.js";
import { supportsWebhooks } from "../write/import-webhooks.js";

type Values = Readonly<Record<string, unknown>>;

/** Configuration of plugins that corresponds to the settings of an export: `{ upload: { images: { ... } } }`. */
export type SettingsConfig = Readonly<Record<string, Values>>;

/**
 * The configuration for `config/plugins` that does what the settings of an export did: registration, confirmation,
 * links, default role, templates of mails, sizes of images. Empty where nothing differs from what an app does anyway.
 */
export function describeSettings(settings: readonly ExportedSetting[]): SettingsConfig {
  const users = { ...fromAdvanced(settingOf(settings, "advanced")), ...fromMails(settingOf(settings, "email")) };
  const images = fromImages(settingOf(settings, "upload_settings"));
  return {
    ...(Object.keys(users).length > 0 ? { "users-permissions": users } : {}),
    ...(Object.keys(images).length > 0 ? { upload: { images } } : {}),
  };
}

const KEYS = {
  advanced: "plugin_users-permissions_advanced",
  email: "plugin_users-permissions_email",
  upload_settings: "plugin_upload_settings",
} as const;

function settingOf(settings: readonly ExportedSetting[], name: keyof typeof KEYS): Values {
  const value = settings.find((setting) => setting.value.key === KEYS[name])?.value.value;
  return isObject(value) ? value : {};
}

function fromAdvanced(advanced: Values): Values {
  const redirectTo = textOf(advanced["email_confirmation_redirection"]);
  const resetUrl = textOf(advanced["email_reset_password"]);
  const role = textOf(advanced["default_role"]);
  const register = advanced["allow_register"] === false ? { enabled: false } : {};
  const confirmation = {
    ...(advanced["email_confirmation"] === true ? { enabled: true } : {}),
    ...(redirectTo === undefined ? {} : { redirectTo }),
  };
  return withoutEmpty({
    register,
    emailConfirmation: confirmation,
    resetPassword: resetUrl === undefined ? {} : { url: resetUrl },
    defaultRole: role === "authenticated" ? undefined : role,
  });
}

/** Templates by their names there and here, and what stands for the same in them. */
const TEMPLATES = { reset_password: "resetPassword", email_confirmation: "emailConfirmation" } as const;

function fromMails(mails: Values): Values {
  const templates: Record<string, Values> = {};
  let from: string | undefined;
  for (const [name, ours] of Object.entries(TEMPLATES)) {
    const mail = mails[name];
    const options = isObject(mail) && isObject(mail["options"]) ? mail["options"] : {};
    from ??= senderOf(options["from"]);
    const [subject, html] = [textOf(options["object"]), textOf(options["message"])];
    if (subject === undefined || html === undefined) continue;
    const translated = translate(html);
    templates[ours] = { subject: translate(subject), text: textOfHtml(translated), html: translated };
  }
  return withoutEmpty({ mail: withoutEmpty({ from, templates }) });
}

/** The text of a mail: paragraphs and line breaks become lines. */
const textOfHtml = (html: string): string =>
  html
    .replace(/<\/p>|<br\s*\/?>/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .trim();

/** Variables of templates there are `<%= USER.username %>`; a URL with its code is the `link` here. */
function translate(template: string): string {
  return template
    .replace(/<%=\s*URL\s*%>\?(?:code|confirmation)=<%=\s*(?:TOKEN|CODE)\s*%>/g, "{{ link }}")
    .replace(/<%=\s*URL\s*%>/g, "{{ link }}")
    .replace(/<%=\s*(?:TOKEN|CODE)\s*%>/g, "{{ code }}")
    .replace(/<%=\s*USER\.(username|email)\s*%>/g, "{{ $1 }}");
}

function senderOf(from: unknown): string | undefined {
  const email = isObject(from) ? textOf(from["email"]) : undefined;
  const name = isObject(from) ? textOf(from["name"]) : undefined;
  if (email === undefined || email === "no-reply@strapi.io") return undefined;
  return name === undefined ? email : `${name} <${email}>`;
}

/** Images are turned and kept as they are here; formats for small screens can be turned off. */
function fromImages(upload: Values): Values {
  return upload["responsiveDimensions"] === false ? { breakpoints: {} } : {};
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const withoutEmpty = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && !(isObject(value) && Object.keys(value).length === 0),
    ),
  );

/** Settings that may have been changed, and their counterparts here. */
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
  }: { readonly index: ExportIndex; readonly settings: readonly ExportedSetting[]; readonly model: ContentModel },
  issues: Issues,
): void {
  for (const { type, value } of settings) {
    const where = SETTINGS[String(value?.key)];
    if (where !== undefined) issues.add(`setting ${value.key}`, `it is left out: ${where}`);
    if (type === "webhook" && !supportsWebhooks(model))
      issues.add("webhook", "webhooks are left out: enable the plugins webhooks, events and jobs, and import again");
  }
  if (index.kept(STRAPI.token).length === 0)
    issues.add("API tokens", "they are in no export: make new ones with `plinth token create`");
  else if (!supportsTokens(model)) issues.add("API tokens", "they are left out: enable the plugin api-tokens");
  issues.add("administrators", "they are in no export: make accounts with `plinth admin create`");
}
