import type { MessageKey } from "../messages/text.js";
import type { IconName } from "../ui/icon-paths.js";
import type { Session } from "./session.js";

/** A screen of the navigation beside those of content. */
export interface Place {
  /** Its address below `/admin`. */
  readonly to: string;
  readonly label: MessageKey;
  readonly icon: IconName;
  /** The plugin that it belongs to; nothing: it is there always. */
  readonly plugin?: string;
  /** What a role has to be granted to use it, such as `plugin::admin.tokens`; nothing: every administrator may. */
  readonly action?: string;
}

/** Screens for people who write content. */
export const TOOLS: readonly Place[] = [];

/** Screens for people who run the site. */
export const SETTINGS: readonly Place[] = [
  { to: "/builder", label: "builder.title", icon: "component", action: "plugin::admin.builder" },
];

/** Whether the caller can use a screen: its plugin is enabled, and their role grants its action. */
export const isOpen = ({ plugin, action }: Place, { plugins, actions }: Session): boolean =>
  (plugin === undefined || plugins.includes(plugin)) && (action === undefined || actions.includes(action));
