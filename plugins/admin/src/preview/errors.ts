import { createError } from "@plinth/core";

/** A preview token that has expired, or whose session has ended. */
export const PreviewEndedError = createError<object>(
  "PLINTH_ADMIN_PREVIEW_ENDED",
  401,
  () => "This preview has ended: its token has expired, or the administrator has signed out.",
  {
    cause:
      "A preview token is used after its time (`preview.life` in the configuration of admin), or after the session of its administrator has ended.",
    remedy: "Open the preview on the admin page again; an open one sends its front end new tokens by itself.",
  },
);

/** A preview token that is used for something else than its document. */
export const PreviewForeignError = createError<object>(
  "PLINTH_ADMIN_PREVIEW_FOREIGN",
  403,
  () => "A preview token reads the draft of one document in one language, and this is another one.",
  {
    cause:
      "A request to /api/preview names another document, type, language or status than the one that its token was made for.",
    remedy: "Read published content below /api as always; of drafts a preview shows that of its document only.",
  },
);

/** An address of a preview that lacks values of its document. */
export const PreviewAddressError = createError<{ attributes: readonly string[] }>(
  "PLINTH_ADMIN_PREVIEW_ADDRESS",
  409,
  (d) => `The address of the preview needs a value of ${d.attributes.join(", ")}.`,
  {
    cause: "`pluginOptions.admin.preview` of the type names attributes that are empty in this document.",
    remedy: "Fill them in, and open the preview again.",
  },
);
