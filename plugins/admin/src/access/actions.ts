import type { PageActions } from "../contract.js";

/** What the page itself can do, which only roles of administrators can be granted. */
export const PAGE_ACTIONS = {
  "plugin::admin.accounts": "invite administrators, change their role, end their sessions",
  "plugin::admin.roles": "change what roles may do",
  "plugin::admin.tokens": "make, change and end API tokens",
  "plugin::admin.webhooks": "make, change and end webhooks, see and repeat their deliveries",
  "plugin::admin.locales": "add and remove locales of the content",
  "plugin::admin.builder": "change content-types and components",
  "plugin::admin.views": "share saved lists with others",
  "plugin::admin.history": "see and restore earlier versions",
  "plugin::admin.others": "use the REST below /admin of plugins that names no action",
} as const satisfies PageActions;

/** What a route below /admin asks for that names no action. */
export const UNNAMED = "plugin::admin.others" satisfies keyof typeof PAGE_ACTIONS;
