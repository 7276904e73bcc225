import { type ExtensionRef, extensionRef, type Policy } from "@plinth/core";
import type { PolicyRef } from "@plinth/core/http";

/** A module that is loaded with the page. */
export interface PageExtension {
  /** A `file:` URL of one ES module; it may import `react`, `react/jsx-runtime` and `@plinth/plugin-admin/extend`. */
  readonly module: URL;
}

/** Actions of the page, by name, each with what it lets an administrator do: `"plugin::maps.edit": "change the map"`. */
export type PageActions = Readonly<Record<string, string>>;

/** What plugins and apps add to the admin page, in `register`. */
export interface AdminExtensions {
  /**
   * Adds a module to the page. It has the name of the plugin that adds it.
   *
   * @param name - of the plugin, or `app`; at most one module a name
   * @throws PLINTH_ADMIN_EXTENSION_EXISTS
   */
  add(name: string, extension: PageExtension): void;
  /**
   * Declares actions that roles of administrators can be granted, and no other callers: a route below /admin asks for one by
   * `policies: [{ name: "plugin::api-tokens.is-administrator", config: { action: "plugin::maps.edit" } }]`.
   */
  actions(actions: PageActions): void;
  /**
   * Lets the page show pictures and films of other origins, such as those of a storage.
   *
   * @param origins - called once, before the page is shown for the first time: `["https://files.example.com"]`
   */
  mediaOrigins(origins: () => Promise<readonly string[]>): void;
}

/**
 * The policy of a route that only administrators reach, with a bearer or from the page.
 *
 * @param action - what their role has to be granted, declared by `actions`; nothing: every administrator may
 */
export const administratorsOnly = (action?: string): Exclude<PolicyRef, string | Policy> => ({
  name: ADMINISTRATORS_ONLY,
  config: action === undefined ? { anyRole: true } : { action },
});

/** The policy of api-tokens that every route below /admin names. */
export const ADMINISTRATORS_ONLY = "plugin::api-tokens.is-administrator";

/** What is added to the page: `extension(admin).add("maps", { module: new URL("./admin/index.js", import.meta.url) })`. */
export const admin: ExtensionRef<AdminExtensions> = extensionRef<AdminExtensions>("plugin::admin.extensions");
