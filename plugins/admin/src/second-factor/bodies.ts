import { secret, text } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";

const hidden = v.pipe(text(), secret());
/** What a browser makes of a passkey; the library checks it. */
const credential = v.looseObject({
  id: text(),
  rawId: text(),
  type: v.literal("public-key"),
  response: v.looseObject({}),
});
const passkeyName = v.pipe(text(), v.maxLength(100));

/** `POST /admin/api/session/passkey`. */
export const passkeyAskedBody = v.strictObject({ stay: v.optional(v.boolean(), false) });

/** `POST /admin/api/session/second-factor`. */
export const proofBody = v.union([
  v.strictObject({ totp: hidden }),
  v.strictObject({ recovery: hidden }),
  v.strictObject({ passkey: credential }),
]);

/** `POST /admin/api/account/confirm`. */
export const confirmBody = v.strictObject({ password: hidden });

/** `PUT /admin/api/account/totp`. */
export const totpBody = v.strictObject({ ticket: hidden, code: hidden });

/** `POST /admin/api/account/passkeys`. */
export const passkeyBody = v.strictObject({ ticket: hidden, name: passkeyName, response: credential });

/** `PUT /admin/api/account/passkeys/:id`. */
export const passkeyNameBody = v.strictObject({ name: passkeyName });
