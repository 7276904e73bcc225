import { createError } from "./error.js";

/** A text is not a valid uid. */
export const InvalidUidError = createError<{ uid: string }>(
  "PLINTH_UID_INVALID",
  500,
  (d) => `"${d.uid}" is not a uid; write api::<api>.<name>, plugin::<plugin>.<name>, global::<name> or plinth::<name>.`,
  {
    cause: "A uid lacks its namespace or its name, or holds a character that is not a letter, a digit, - or _.",
    remedy: "Write the uid in one of the forms that the message lists.",
  },
);

/** Code of the app is written for Strapi. */
export const StrapiCodeError = createError<{ place: string; form: string; instead: string }>(
  "PLINTH_STRAPI_CODE",
  500,
  (d) =>
    `${d.place} uses ${d.form}, as Strapi's code does. Here ${d.instead.charAt(0).toLowerCase()}${d.instead.slice(1)}`,
  {
    cause:
      "A file was taken over from a Strapi app as it is: it uses `strapi`, imports a package of Strapi, is CommonJS, or is a lifecycles file.",
    remedy: "Write what the message says; the guide core/guides/coming-from-strapi.md has an example of each form.",
  },
);
