import { createError, describeKnown } from "@plinth/core";
import type { Conflict } from "./wire/content.js";

/** The configuration of the plugin cannot be used; every problem at once. */
export const InvalidAdminConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_ADMIN_CONFIG_INVALID",
  500,
  (d) => `The configuration of admin is wrong:\n${d.problems.map((problem) => `  ${problem}`).join("\n")}`,
  {
    cause: "config/plugins holds a key or value under admin that the plugin does not understand.",
    remedy: "Correct each line that the message lists.",
  },
);

/** A request holds values that cannot be used; every problem at once. */
export const InvalidRequestError = createError<{ errors: readonly { path: string; message: string }[] }>(
  "PLINTH_ADMIN_INVALID",
  400,
  (d) => d.errors.map(({ path, message }) => `${path} ${message}`).join("; "),
  {
    cause: "A value in the body of a request below /admin/api is missing, unknown or invalid.",
    remedy: "Correct each value that the message names.",
  },
);

/** What schema files say to the page cannot be used; every problem at once. */
export const SchemaOptionsError = createError<{ problems: readonly { path: string; message: string }[] }>(
  "PLINTH_ADMIN_SCHEMA_OPTIONS",
  500,
  (d) =>
    `Schemas say what the admin page does not understand:\n${d.problems.map(({ path, message }) => `  ${path} ${message}`).join("\n")}`,
  {
    cause:
      "pluginOptions.admin of a content-type, component or attribute has an unknown key, a value that does not fit, or names an attribute that does not exist.",
    remedy: "Correct each line that the message lists.",
  },
);

/** A link for new administrators that was used, has expired, or never was. */
export const LinkInvalidError = createError<object>(
  "PLINTH_ADMIN_LINK_INVALID",
  403,
  () => "This link is not valid: it was used or taken back, or its time has passed.",
  {
    cause:
      "The code of a link for new administrators is unknown, was used, or has expired; the one that the start prints is for the first administrator only.",
    remedy:
      "Ask an administrator for another invitation, or run `plinth admin invite --email <address>`. While there is no administrator, every start prints one.",
  },
);

/** The address of an invitation is that of an administrator. */
export const AccountExistsError = createError<{ email: string }>(
  "PLINTH_ADMIN_ACCOUNT_EXISTS",
  409,
  (d) => `${d.email} is an administrator already.`,
  {
    cause: "An invitation is for the address of somebody who is an administrator.",
    remedy: "`plinth admin password <email>` gives them a new password.",
  },
);

/** A role that is neither given, configured nor in the database. */
export const UnknownRoleError = createError<{ role: string; known: readonly string[] }>(
  "PLINTH_ADMIN_UNKNOWN_ROLE",
  404,
  (d) => `There is no role "${d.role}". ${describeKnown(d.role, d.known)}`,
  {
    cause: "An invitation names a role of administrators that does not exist.",
    remedy: "Use super, editor, author, or a role of `roles` in the configuration of admin.",
  },
);

/** Two modules for the page have one name. */
export const ExtensionExistsError = createError<{ name: string }>(
  "PLINTH_ADMIN_EXTENSION_EXISTS",
  500,
  (d) => `"${d.name}" has added a module to the admin page already.`,
  {
    cause: "A plugin, or the app, calls `add` of the admin page's extensions twice with one name.",
    remedy: "Add one module, and import the others from it.",
  },
);

/** A module for the page cannot be read. */
export const ExtensionUnreadableError = createError<{ name: string; file: string; reason: string }>(
  "PLINTH_ADMIN_EXTENSION_UNREADABLE",
  500,
  (d) => `The module that "${d.name}" adds to the admin page, ${d.file}, cannot be read: ${d.reason}.`,
  {
    cause: "The file that a plugin names as its module of the admin page is not there, or may not be read.",
    remedy: "Build the plugin, or correct the path in the URL that it gives to `add`.",
  },
);

/** A module for the page in the app's own sources does not compile. */
export const ExtensionBuildError = createError<{ name: string; file: string; problems: readonly string[] }>(
  "PLINTH_ADMIN_EXTENSION_BUILD",
  500,
  (d) => `${d.file}, which is a part of the admin page, cannot be bundled:\n  ${d.problems.join("\n  ")}`,
  {
    cause:
      "A file below `src/admin` of the app, or of one of its plugins, does not compile, or imports what is not there.",
    remedy: "Fix the lines that the message names; install packages that they import.",
  },
);

/** A build lacks a module for the page that the sources have. */
export const ExtensionNotBuiltError = createError<{ file: string }>(
  "PLINTH_ADMIN_EXTENSION_NOT_BUILT",
  500,
  (d) => `${d.file}, which is a part of the admin page, is not in dist/.`,
  {
    cause: "The sources have a module for the admin page that the last `plinth build` did not bundle.",
    remedy: "Run `plinth build`, with the variables that the configuration needs: without them a build leaves it out.",
  },
);

/** The files of the page are missing. */
export const PageNotBuiltError = createError<{ folder: string }>(
  "PLINTH_ADMIN_PAGE_NOT_BUILT",
  500,
  (d) => `The admin page has not been built: ${d.folder} holds no page.json.`,
  {
    cause: "The package is used from its sources, and its page was not built after them.",
    remedy: "Run `npm run build` in the repository; an installed package has its page built.",
  },
);

/** A request that the page itself did not send. */
export const ForeignOriginError = createError<object>(
  "PLINTH_ADMIN_FOREIGN_ORIGIN",
  403,
  () => "Requests with the cookie of the admin page have to come from the page itself.",
  {
    cause:
      "A page of another origin, a sister domain included, sent a request below /admin with the cookie of a session.",
    remedy:
      "Use the admin page, or a bearer in scripts; behind a proxy, have it pass Host on, or set `url` in config/server.",
  },
);

/** A tab of one account, in a browser where another one has signed in since. */
export const OtherAccountError = createError<{ user: { name: string; email: string } }>(
  "PLINTH_ADMIN_OTHER_ACCOUNT",
  409,
  (d) => `${d.user.name} is signed in in this browser now.`,
  {
    cause:
      "The header X-Plinth-Account of a request below /admin names another administrator than the session of its cookie: somebody else has signed in in another tab.",
    remedy: "Reload the page to go on as the one who is signed in now.",
  },
);

/** Signing in over plain http, in production. */
export const PlainHttpError = createError<{ origin: string }>(
  "PLINTH_ADMIN_PLAIN_HTTP",
  403,
  (d) => `In production signing in takes https, and the page was opened at ${d.origin}.`,
  {
    cause:
      "In production the cookie of a session is Secure, and browsers drop such a cookie over plain http, except on localhost.",
    remedy:
      "Put a proxy that ends https before the server, set `proxy` and the https address as `url` in config/server, and open the page there.",
  },
);

/** A body of a form that any page could send. */
export const UnknownBodyError = createError<{ type: string }>(
  "PLINTH_ADMIN_BODY_TYPE",
  415,
  (d) => `Bodies below /admin/api are JSON, or multipart with the header X-Plinth-Admin: 1, and not "${d.type}".`,
  {
    cause: "A request below /admin has a body that a form of another page could send as well.",
    remedy: "Send application/json, or multipart/form-data with the header `X-Plinth-Admin: 1`.",
  },
);

/** A change of a document that does not say which version it is for. */
export const PreconditionMissingError = createError<object>(
  "PLINTH_ADMIN_PRECONDITION_MISSING",
  428,
  () => "Send If-Match with the ETag of the document, or If-None-Match: * for one that is new.",
  {
    cause:
      "A PUT below /admin/api/content has neither If-Match nor If-None-Match: *, so it could undo the change of somebody else.",
    remedy: "Read the document, and send its ETag as If-Match; for a new locale or single type send If-None-Match: *.",
  },
);

/** The document has changed since it was read. */
export const EntryConflictError = createError<Conflict>(
  "PLINTH_ADMIN_CONFLICT",
  412,
  (d) => `The document was changed${d.changedBy ? ` by ${d.changedBy.name}` : ""} at ${d.changedAt}.`,
  {
    cause: "Somebody saved the document after it was read; a locale that should have been new is there already.",
    remedy: "Read it again, join both changes, and send the new ETag as If-Match; details have it as `version`.",
  },
);

/** A path that leads to no relation. */
export const UnknownRelationError = createError<{ uid: string; path: string }>(
  "PLINTH_ADMIN_UNKNOWN_RELATION",
  404,
  (d) => `"${d.path}" leads to no relation of ${d.uid}.`,
  {
    cause: "The path names no attribute that is a relation and that the caller may see.",
    remedy:
      "Name the attributes on the way with dots between them; inside a zone, the component's uid or the item's id comes first.",
  },
);

/** A working copy that is larger than the server keeps. */
export const WorkingCopyTooLargeError = createError<{ maximum: number }>(
  "PLINTH_ADMIN_WORKING_COPY_TOO_LARGE",
  413,
  (d) => `A working copy may have ${d.maximum} bytes of JSON.`,
  {
    cause: "What somebody typed and did not save is larger than 1 MB.",
    remedy: "Save the document; until then the changes are kept by the browser alone.",
  },
);

/** A search or a sort that the database does not end in time. */
export const ListTooSlowError = createError<{ limit: number }>(
  "PLINTH_ADMIN_LIST_TOO_SLOW",
  503,
  (d) => `This took longer than ${d.limit} ms. Narrow it by a filter.`,
  {
    cause: "A search, a sort or a filter of a list looks at more rows than the database can in 2 seconds.",
    remedy: "Narrow the list by a filter on an attribute with `index`, or sort by an attribute with one.",
    answer: "This takes the database too long. Narrow it by a filter.",
  },
);
