import type edit from "./en/edit.json";
import type fields from "./en/fields.json";
import type history from "./en/history.json";
import type list from "./en/list.json";
import type live from "./en/live.json";
import type page from "./en/page.json";

/** Names of the texts of the page: a folder for each language has the same files with the same keys. */
export type MessageKey =
  | keyof typeof edit
  | keyof typeof fields
  | keyof typeof history
  | keyof typeof list
  | keyof typeof live
  | keyof typeof page;
