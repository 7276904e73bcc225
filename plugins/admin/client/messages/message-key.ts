import type edit from "./en/edit.json";
import type fields from "./en/fields.json";
import type languages from "./en/languages.json";
import type list from "./en/list.json";
import type page from "./en/page.json";

/** Names of the texts of the page: a folder for each language has the same files with the same keys. */
export type MessageKey =
  | keyof typeof edit
  | keyof typeof fields
  | keyof typeof languages
  | keyof typeof list
  | keyof typeof page;
