import { useBlocker } from "@tanstack/react-router";

/**
 * Asks before the page leads elsewhere, or is closed. A new address in place of the present one leads nowhere: a form that
 * was saved for the first time has one.
 *
 * @param isAsked - whether something would be lost now
 * @param isWithin - whether other addresses of the same screen lose nothing
 */
export const useLeaving = (isAsked: () => boolean, { isWithin = false }: { readonly isWithin?: boolean } = {}) =>
  useBlocker({
    shouldBlockFn: ({ action, current, next }) =>
      action !== "REPLACE" && !(isWithin && current.pathname === next.pathname) && isAsked(),
    enableBeforeUnload: isAsked,
    withResolver: true,
  });
