import { lazy, Suspense } from "react";
import { pageFacts } from "./page-facts.js";

/** Loaded where there are extensions only: most pages have nothing below the form. */
const Parts = lazy(async () => {
  const [{ ExtensionsProvider, loadExtensions }, { Slot }] = await Promise.all([
    import("./extensions.js"),
    import("./slot.js"),
  ]);
  const extensions = await loadExtensions();
  return {
    default: () => (
      <ExtensionsProvider value={extensions}>
        <Slot name="sign-in.after" />
      </ExtensionsProvider>
    ),
  };
});

/** What extensions show to somebody who is not signed in. */
export const EntranceSlot = () =>
  pageFacts.extensions.length === 0 ? null : (
    <Suspense>
      <Parts />
    </Suspense>
  );
