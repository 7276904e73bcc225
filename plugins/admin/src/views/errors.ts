import { createError } from "@plinth/core";

/** An account has as many views as it may. */
export const TooManyViewsError = createError<{ maximum: number }>(
  "PLINTH_ADMIN_TOO_MANY_VIEWS",
  409,
  (d) => `An account may save ${d.maximum} views.`,
  {
    cause: "Somebody saves another view of a list and has as many as an account may have, of all types together.",
    remedy: "Delete views that are not used any more, or change one of them.",
  },
);

/** A view holds more than is kept. */
export const ViewTooLargeError = createError<{ maximum: number }>(
  "PLINTH_ADMIN_VIEW_TOO_LARGE",
  413,
  (d) => `The search, filters and columns of a view may have ${d.maximum} bytes of JSON.`,
  {
    cause: "A saved view of a list has more conditions, values or columns than the server keeps.",
    remedy: "Take conditions or columns out; a filter on a field of its own is shorter than a list of documents.",
  },
);
