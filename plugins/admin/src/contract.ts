import { type ExtensionRef, extensionRef } from "@plinth/core";

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

/** What is added to the page: `extension(admin).add("maps", { module: new URL("./admin/index.js", import.meta.url) })`. */
export const admin: ExtensionRef<AdminExtensions> = extensionRef<AdminExtensions>("plugin::admin.extensions");
