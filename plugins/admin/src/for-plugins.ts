/** Types by which plugins that bring endpoints for the page agree with it. */
export type { FileViews } from "./content/file-view.js";
export type { NamedPlace, Names } from "./content/names.js";
export type { TypeDescriber } from "./model/model-views.js";
export type * from "./wire/audit.js";
export type * from "./wire/end-users.js";
export type * from "./wire/file-uses.js";
export type { RelatedEntry, UseList } from "./wire/content.js";
export type * from "./wire/files.js";
export type { AttributeView } from "./wire/model.js";
