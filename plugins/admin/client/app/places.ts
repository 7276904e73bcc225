import type { MessageKey } from "../messages/text.js";
import type { IconName } from "../ui/icon-paths.js";
import { mayAct, type Session } from "./session.js";

/** A screen of the navigation beside those of content. */
export interface Place {
  /** Its address below `/admin`. */
  readonly to: string;
  readonly label: MessageKey;
  readonly icon: IconName;
  /** The plugin that it belongs to; nothing: it is there always. */
  readonly plugin?: string;
  /**
   * What a role has to be granted to use it: an action of the page such as `plugin::admin.tokens`, or one on a content-type such
   * as `plugin::upload.file.find`; nothing: every administrator may.
   */
  readonly action?: string;
}

/** Screens for people who write content. */
export const TOOLS: readonly Place[] = [
  { to: "/media", label: "library.title", icon: "images", plugin: "upload", action: "plugin::upload.file.find" },
  { to: "/calendar", label: "calendar.title", icon: "calendar", plugin: "schedule" },
  {
    ...{ to: "/releases", label: "release.list", icon: "layers" },
    ...{ plugin: "schedule", action: "plugin::schedule.releases" },
  },
];

/** Screens for people who run the site. */
export const SETTINGS: readonly Place[] = [
  { to: "/settings/accounts", label: "accounts.title", icon: "users", action: "plugin::admin.accounts" },
  { to: "/settings/roles", label: "roles.title", icon: "shield-check", action: "plugin::admin.roles" },
  { to: "/builder", label: "builder.title", icon: "component", action: "plugin::admin.builder" },
  {
    ...{ to: "/settings/webhooks", label: "webhook.list", icon: "webhook" },
    ...{ plugin: "webhooks", action: "plugin::admin.webhooks" },
  },
  {
    ...{ to: "/settings/jobs", label: "job.title", icon: "list-checks" },
    ...{ plugin: "jobs", action: "plugin::jobs.manage" },
  },
  {
    ...{ to: "/settings/users", label: "users.title", icon: "users" },
    ...{ plugin: "users-permissions", action: "plugin::users-permissions.users" },
  },
  {
    ...{ to: "/settings/user-roles", label: "userRoles.title", icon: "shield" },
    ...{ plugin: "users-permissions", action: "plugin::users-permissions.roles" },
  },
  { to: "/settings/tokens", label: "tokens.title", icon: "key", action: "plugin::admin.tokens" },
  {
    ...{ to: "/settings/languages", label: "languages.title", icon: "languages" },
    ...{ plugin: "i18n", action: "plugin::admin.locales" },
  },
  {
    ...{ to: "/settings/audit", label: "audit.title", icon: "scroll-text" },
    ...{ plugin: "audit", action: "plugin::audit.read" },
  },
  { to: "/settings/account", label: "account.mine", icon: "user" },
];

/** Whether the caller can use a screen: its plugin is enabled, and their role grants its action. */
export const isOpen = ({ plugin, action }: Place, session: Session): boolean =>
  (plugin === undefined || session.plugins.includes(plugin)) && (action === undefined || mayAct(session, action));
