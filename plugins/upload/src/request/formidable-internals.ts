/*
 * What our code takes for granted of formidable, which koa-body reads forms with, stands here and nowhere else. Written
 * against formidable 3.5; test/plugins/upload/formidable-internals.test.ts fails when a version of it differs.
 */

/**
 * Numbers of the parser's errors, their `code`. It exports them, but is no dependency of ours.
 *
 * @source https://github.com/node-formidable/formidable/blob/master/src/FormidableError.js
 */
export const FORM_ERRORS = {
  maxFieldsSizeExceeded: 1006,
  maxFieldsExceeded: 1007,
  biggerThanTotalMaxFileSize: 1009,
  noEmptyFiles: 1010,
  maxFilesExceeded: 1015,
  biggerThanMaxFileSize: 1016,
} as const;
