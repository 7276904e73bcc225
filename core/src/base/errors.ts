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

/** One place with a form of Strapi's code, and what to write there. */
export interface StrapiUse {
  /** File and line: `src/index.ts:3`. */
  readonly place: string;
  readonly form: string;
  /** A sentence in the imperative. */
  readonly instead: string;
}

const lower = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Every form with its places below it, so that a form that is used often is explained once. */
function describeUses(uses: readonly StrapiUse[]): string {
  const [first] = uses;
  if (first && uses.length === 1)
    return `${first.place} uses ${first.form}, as Strapi's code does. Here ${lower(first.instead)}`;
  const placesByForm = new Map<string, string[]>();
  for (const { form, instead, place } of uses) {
    const explained = `${form}: here ${lower(instead)}`;
    placesByForm.set(explained, [...(placesByForm.get(explained) ?? []), `  ${place}`]);
  }
  const groups = [...placesByForm].map(([form, places]) => [form, ...places].join("\n"));
  return `Code is written as for Strapi in ${uses.length} places.\n${groups.join("\n")}`;
}

/** Code of the app is written for Strapi. */
export const StrapiCodeError = createError<{ readonly uses: readonly StrapiUse[] }>(
  "PLINTH_STRAPI_CODE",
  500,
  (d) => describeUses(d.uses),
  {
    cause:
      "A file was taken over from a Strapi app as it is: it uses `strapi` or a member of `ctx`, `ctx.state` or `strapi` that is not there here, imports a package of Strapi, is CommonJS, or is a lifecycles file.",
    remedy: "Write what the message says; the guide core/guides/coming-from-strapi.md has an example of each form.",
  },
);
