import { type App, serviceRef } from "@plinth/core";
import { actionsOfType } from "@plinth/core/access";
import type { KnownSession } from "../access/known-sessions.js";
import { admin } from "../contract.js";
import type { PageExtensions } from "../page/page-extensions.js";
import type { Boot, ContentLocale } from "../wire/boot.js";
import { modelViews } from "./model-views.js";

/** The plugin i18n, by its name alone: it need not be installed. */
const locales = serviceRef<{ list(): Promise<readonly ContentLocale[]> }>("plugin::i18n.locales");

/** What the page needs before its first screen. */
export async function buildBoot(app: App, { account, ability }: KnownSession): Promise<Boot> {
  const extensions = app.extension(admin) as PageExtensions;
  return {
    user: account,
    may: mayOf(app, ability),
    actions: Object.keys(extensions.listActions()).filter((action) => ability.can(action)),
    locales: await localesOf(app),
    plugins: app.plugins,
    modelVersion: app.service(modelViews).version,
    environment: app.environment,
  };
}

/** What an ability may do with documents of each type that the page shows, and with files and their folders. */
function mayOf(app: App, ability: KnownSession["ability"]): Boot["may"] {
  const { contentTypes, fileType } = app.model;
  const ofFiles = [...contentTypes.keys()].filter((uid) => fileType && pluginOf(uid) === pluginOf(fileType));
  const uids = [...app.service(modelViews).uids(), ...ofFiles];
  const may = [...new Set(uids)].map((uid) => {
    const type = contentTypes.get(uid);
    return [uid, type ? actionsOfType(type).filter((action) => ability.can(`${uid}.${action}`)) : []] as const;
  });
  return Object.fromEntries(may.filter(([, actions]) => actions.length > 0));
}

/** `plugin::upload` of `plugin::upload.file`. */
const pluginOf = (uid: string): string => uid.slice(0, uid.indexOf("."));

async function localesOf(app: App): Promise<readonly ContentLocale[]> {
  const { defaultLocale } = app.model;
  const names = new Intl.DisplayNames("en", { type: "language" });
  if (!app.has("i18n"))
    return [{ code: defaultLocale, name: names.of(defaultLocale) ?? defaultLocale, isDefault: true }];
  const all = (await app.service(locales).list()).map(({ code, name, isDefault }) => ({ code, name, isDefault }));
  return [...all].sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
}
