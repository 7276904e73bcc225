import { keepPreviousData, QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useState } from "react";
import { I18nProvider, RouterProvider as AriaRouter } from "react-aria-components";
import type { Boot } from "../../src/wire/boot.js";
import type { Model } from "../../src/wire/model.js";
import { language } from "../messages/text.js";
import { Failed } from "../ui/state.js";
import { Toasts } from "../ui/toast.js";
import { ApiError, api, onSessionEnded, onSetUpNeeded, setAccount } from "./api.js";
import { ExtensionsProvider, loadExtensions } from "./extensions.js";
import { startLive } from "../live/live.js";
import { whenIdle } from "./load-part.js";
import { OtherAccountNote } from "./other-account.js";
import { createPageRouter } from "./router.js";
import { createSession, RenewProvider, SessionProvider } from "./session.js";
import { SignInAgain } from "./sign-in-again.js";

const MAX_TRIES = 2;

/** A refusal is an answer: only what had none is asked again. What was too slow would be so once more. */
const mayRetry = (count: number, error: Error): boolean =>
  count < MAX_TRIES && error instanceof ApiError && (error.isOffline || error.status === 503) && !error.isTooSlow;

const queries = new QueryClient({
  defaultOptions: { queries: { retry: mayRetry, refetchOnWindowFocus: false, staleTime: 10_000 } },
});

/** The page of somebody who is signed in. */
export function App({ boot: first }: { readonly boot: Boot }) {
  const router = useMemo(createPageRouter, []);
  const [boot, setBoot] = useState(first);
  const renew = useCallback(async () => setBoot(await api<Boot>("/boot")), []);
  const hasEnded = useSessionEnd(renew);
  setAccount(boot.user.documentId);
  const model = useQuery(
    // The screen stays while a new model is read.
    { queryKey: ["model", boot.modelVersion], queryFn: () => api<Model>("/model"), placeholderData: keepPreviousData },
    queries,
  );
  const extensions = useQuery(
    { queryKey: ["extensions"], queryFn: loadExtensions, staleTime: Number.POSITIVE_INFINITY },
    queries,
  );
  useEvents(boot, boot !== first);
  // What is typed is in the journal, and comes back.
  useEffect(() => onSetUpNeeded(() => location.reload()), []);
  const session = useMemo(() => (model.data ? createSession(boot, model.data) : undefined), [boot, model.data]);
  if (model.error) return <Failed error={model.error} retry={() => void model.refetch()} />;
  if (!session || !extensions.data) return null;
  return (
    <QueryClientProvider client={queries}>
      <I18nProvider locale={language()}>
        <AriaRouter navigate={(to) => void router.navigate({ href: to })}>
          <SessionProvider value={session}>
            <RenewProvider value={renew}>
              <ExtensionsProvider value={extensions.data}>
                <RouterProvider router={router} />
              </ExtensionsProvider>
            </RenewProvider>
            <SignInAgain isOpen={hasEnded.value} email={boot.user.email} onDone={() => void hasEnded.reset()} />
            <OtherAccountNote />
            <Toasts />
          </SessionProvider>
        </AriaRouter>
      </I18nProvider>
    </QueryClientProvider>
  );
}

/**
 * Hears of what others do, once the first screen is there.
 *
 * @param isRenewed - nothing was heard for some time before, so that what is shown may be old
 */
function useEvents(boot: Boot, isRenewed: boolean): void {
  useEffect(() => {
    const { user, modelVersion } = boot;
    let stop: (() => void) | undefined;
    let isOver = false;
    whenIdle(() => {
      if (!isOver) stop = startLive({ account: user.documentId, modelVersion, hasMissed: isRenewed });
    });
    return () => {
      isOver = true;
      stop?.();
    };
    // Who signs in again is another boot.
  }, [boot, isRenewed]);
}

/** What the account may do is read again: while nobody was signed in, its role may have changed. */
function useSessionEnd(renew: () => Promise<void>): {
  readonly value: boolean;
  readonly reset: () => Promise<void>;
} {
  const [value, setValue] = useState(false);
  useEffect(() => onSessionEnded(() => setValue(true)), []);
  const reset = async () => {
    await renew();
    setValue(false);
    await queries.invalidateQueries();
  };
  return { value, reset };
}
