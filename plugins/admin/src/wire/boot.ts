import type { Account } from "./account.js";

/** `GET /admin/api/boot`: what the page needs before its first screen. */
export interface Boot {
  readonly user: Account;
  /** What they may do with documents of a type, by its uid: `find`, `create`, `update`, `delete`, `publish`. */
  readonly may: Readonly<Record<string, readonly string[]>>;
  /** The page's own actions that they may: `plugin::admin.accounts`. */
  readonly actions: readonly string[];
  /** Those of the content, the default first. */
  readonly locales: readonly ContentLocale[];
  /** Names of the plugins that are enabled. */
  readonly plugins: readonly string[];
  /** Changes when the content model does. */
  readonly modelVersion: string;
  readonly environment: string;
}

/** A locale of the content. */
export interface ContentLocale {
  /** `en`, `fr-CA`. */
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
}
