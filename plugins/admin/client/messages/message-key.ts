import type accounts from "./en/accounts.json";
import type builder from "./en/builder.json";
import type edit from "./en/edit.json";
import type fields from "./en/fields.json";
import type finding from "./en/finding.json";
import type history from "./en/history.json";
import type home from "./en/home.json";
import type languages from "./en/languages.json";
import type list from "./en/list.json";
import type live from "./en/live.json";
import type media from "./en/media.json";
import type operations from "./en/operations.json";
import type owners from "./en/owners.json";
import type page from "./en/page.json";
import type plans from "./en/plans.json";
import type roles from "./en/roles.json";
import type views from "./en/views.json";

/** Names of the texts of the page: a folder for each language has the same files with the same keys. */
export type MessageKey =
  | keyof typeof accounts
  | keyof typeof builder
  | keyof typeof edit
  | keyof typeof fields
  | keyof typeof finding
  | keyof typeof history
  | keyof typeof home
  | keyof typeof languages
  | keyof typeof list
  | keyof typeof live
  | keyof typeof media
  | keyof typeof operations
  | keyof typeof owners
  | keyof typeof page
  | keyof typeof plans
  | keyof typeof roles
  | keyof typeof views;
