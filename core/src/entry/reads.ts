/** `@plinth/core/reads`: for plugins that serve documents over a protocol: from query parameters to a prepared read, and how far what others write is final. */
export type { ReadSource, StampWish } from "../database/reads/read.js";
export { readStamps } from "../database/reads/stamps.js";
export type { Query } from "../database/reads/query.js";
export { forAllDocuments } from "../documents/all-documents.js";
export { documentVersion } from "../documents/document-version.js";
export { UnknownLocaleError } from "../documents/errors.js";
export type { Limits, Pagination } from "../documents/params/parse-pagination.js";
export type { Position, ReadPoint } from "../database/driver/position.js";
export type { PreparedRead, ReadOptions } from "../documents/params/parse-params.js";
export { parseAnswerParams } from "../documents/params/parse-answer.js";
export { hiddenLinks } from "../documents/params/hidden-links.js";
export { reachOfDrafts, shapeOf } from "../documents/params/visible-types.js";
export { parseReadParams } from "../documents/params/parse-params.js";
export { ReadTooLargeError } from "../database/errors.js";
export type { ReadBudget } from "../documents/params/read-budget.js";
export { CODE_BUDGET } from "../documents/params/read-budget.js";
export type { ReadParser } from "../documents/params/read-cache.js";
export { createReadParser } from "../documents/params/read-cache.js";
export type { Visibility } from "../documents/params/parse-context.js";
export type {
  FieldRequest,
  PopulateNode,
  ReadSelection,
  SelectionRequest,
} from "../documents/params/selection-request.js";
export type { Settled } from "../database/driver/settled-ids.js";
export { nextIdOf, SettledIds } from "../database/driver/settled-ids.js";
