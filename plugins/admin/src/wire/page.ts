/** What the HTML of the page says of itself, as JSON in `data-page` of its root: it is there before the sign-in. */
export interface PageFacts {
  readonly brand: Brand;
  readonly extensions: readonly ExtensionView[];
}

/** An ES module that a plugin or the app adds to the page. */
export interface ExtensionView {
  /** Name of the plugin, or `app`. */
  readonly name: string;
  /** Path on this server. */
  readonly url: string;
}

/** Whose the page is. Its colour is a custom property of the HTML. */
export interface Brand {
  readonly name: string;
  /** Path or address of a picture. */
  readonly logo: string | null;
}
