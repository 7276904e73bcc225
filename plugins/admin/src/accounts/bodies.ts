import { secret, text } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";

/** `POST /admin/api/session`. Strings only: an object could become a filter further down. */
export const signInBody = v.strictObject({
  email: text(),
  password: v.pipe(text(), secret()),
  stay: v.optional(v.boolean(), false),
});

/** `POST /admin/api/welcome`. */
export const welcomeBody = v.strictObject({
  code: v.pipe(text(), secret()),
  name: v.pipe(text(), v.maxLength(200)),
  email: text(),
  password: v.pipe(text(), secret()),
});
