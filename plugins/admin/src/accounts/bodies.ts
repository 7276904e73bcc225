import { secret, text } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";

const LONGEST_NAME = 200;

const hidden = v.pipe(text(), secret());
const personName = v.pipe(
  text(),
  v.maxLength(LONGEST_NAME),
  v.check((name) => name.trim() !== "", "must not be empty"),
);

/** `POST /admin/api/session`. Strings only: an object could become a filter further down. */
export const signInBody = v.strictObject({
  email: text(),
  password: hidden,
  stay: v.optional(v.boolean(), false),
});

/** `POST /admin/api/welcome`. */
export const welcomeBody = v.strictObject({ code: hidden, name: personName, email: text(), password: hidden });

/** `POST /admin/api/invitations`. */
export const invitationBody = v.strictObject({ email: v.pipe(text(), v.email()), role: text() });

/** What has the code of a link alone. */
export const codeBody = v.strictObject({ code: hidden });

/** `POST /admin/api/invitations/accept`. */
export const acceptanceBody = v.strictObject({ code: hidden, name: personName, password: hidden });

/** `PUT /admin/api/accounts/:id`. */
export const accountBody = v.strictObject({ role: v.optional(text()), isActive: v.optional(v.boolean()) });

/** `POST /admin/api/password/forgot`. */
export const forgottenBody = v.strictObject({ email: text() });

/** `POST /admin/api/password/reset`. */
export const resetBody = v.strictObject({ code: hidden, password: hidden });

/** `PUT /admin/api/account`. */
export const ownAccountBody = v.strictObject({
  name: v.optional(personName),
  language: v.optional(v.nullable(v.pipe(v.string(), v.regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)))),
});

/** `PUT /admin/api/account/email`. */
export const emailBody = v.strictObject({ email: v.pipe(text(), v.email()), password: hidden });

/** `PUT /admin/api/account/password`. */
export const passwordBody = v.strictObject({ old: hidden, password: hidden });
