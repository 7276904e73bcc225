import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { PreviewNews, PreviewPlace } from "../../../../src/wire/preview.js";
import { request } from "../../../app/api.js";
import { showField } from "../../../fields/show-field.js";
import { queryOf } from "../entry-requests.js";
import type { OpenDocument } from "../open-document.js";
import { focusedPath } from "./focused-path.js";

/** What of a token's life has passed when it is renewed, and the shortest time between two, in milliseconds. */
const RENEWED_AFTER = 0.8;
const SHORTEST = 5_000;
/** Timers take no longer time. */
const LONGEST = 2 ** 31 - 1;

/** A preview that is open. */
export interface Preview {
  /** What the frame shows; the token in it may be an old one. */
  readonly source: string | undefined;
  /** For a tab of its own. */
  readonly url: string | undefined;
  readonly error: unknown;
  /** Asks for the address again, and loads the page again. */
  readonly reload: () => void;
}

const withoutToken = ({ url, token }: PreviewPlace): string => url.replaceAll(encodeURIComponent(token), "");

/** Opens the preview of a document, renews its token, and talks with the front end in the frame. */
export function usePreview(opened: OpenDocument, frame: RefObject<HTMLIFrameElement | null>): Preview {
  const [place, setPlace] = useState<OpenPlace>();
  const [source, setSource] = useState<string>();
  const [error, setError] = useState<unknown>();
  const known = useRef<PreviewPlace>(undefined);
  const tell = useCallback(
    (news: PreviewNews) => {
      if (known.current) frame.current?.contentWindow?.postMessage(news, new URL(known.current.url).origin);
    },
    [frame],
  );
  const ask = useCallback(
    async (isAnew: boolean) => {
      try {
        await opened.keeper.flush();
        const next = await askPlace(opened);
        const isSame = known.current !== undefined && withoutToken(known.current) === withoutToken(next);
        known.current = next;
        setPlace(next);
        setError(undefined);
        // A page that is open keeps its place, and gets the token by a message.
        if (isAnew || !isSame) setSource(next.url);
        else tell({ type: "plinth:token", token: next.token, expiresAt: next.expiresAt });
      } catch (failure) {
        setError(failure);
      }
    },
    [opened, tell],
  );
  useEffect(() => void ask(true), [ask]);
  useRenewal(place, ask);
  useNews(opened, { known, ask, tell });
  useRequests(opened, frame, known);
  return { source, url: place?.url, error, reload: () => void ask(true) };
}

/** An address, and how long its token is good: by the clock of the server, as that of a reader may be any. */
interface OpenPlace extends PreviewPlace {
  /** Milliseconds. */
  readonly life: number;
}

async function askPlace({ place: { type, id, locale } }: OpenDocument): Promise<OpenPlace> {
  const path = `/preview/${type.uid}/${encodeURIComponent(id)}${queryOf(locale)}`;
  const { body, headers } = await request<PreviewPlace>(path, { method: "POST" });
  const now = Date.parse(headers.get("Date") ?? "");
  return { ...body, life: Date.parse(body.expiresAt) - (Number.isNaN(now) ? Date.now() : now) };
}

type Ask = (isAnew: boolean) => Promise<void>;

function useRenewal(place: OpenPlace | undefined, ask: Ask): void {
  useEffect(() => {
    if (!place) return;
    const rest = Math.min(LONGEST, Math.max(SHORTEST, place.life * RENEWED_AFTER));
    const timer = setTimeout(() => void ask(false), rest);
    return () => clearTimeout(timer);
  }, [place, ask]);
}

interface NewsOptions {
  readonly known: RefObject<PreviewPlace | undefined>;
  readonly ask: Ask;
  readonly tell: (news: PreviewNews) => void;
}

/** Tells the front end when the draft was saved, or what was typed. After a save the address may be another one. */
function useNews(opened: OpenDocument, { known, ask, tell }: NewsOptions): void {
  useEffect(() => {
    let { entry } = opened.state;
    // What was missing in the address may be there now.
    const changed = () => (known.current ? tell({ type: "plinth:changed" }) : void ask(true));
    const stops = [
      opened.keeper.onKept(changed),
      opened.subscribe(() => {
        if (opened.state.entry === entry) return;
        entry = opened.state.entry;
        changed();
        void ask(false);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [opened, known, ask, tell]);
}

/** Leads to the field that the front end asks for. Messages of others, and of other origins, are none. */
function useRequests(
  opened: OpenDocument,
  frame: RefObject<HTMLIFrameElement | null>,
  known: RefObject<PreviewPlace | undefined>,
): void {
  useEffect(() => {
    const receive = ({ source, origin, data }: MessageEvent<unknown>) => {
      const { current: place } = known;
      if (!place || source !== frame.current?.contentWindow || origin !== new URL(place.url).origin) return;
      const path = focusedPath(data);
      if (path) showField(opened.store, opened.store.placeOf(path));
    };
    addEventListener("message", receive);
    return () => removeEventListener("message", receive);
  }, [opened, frame, known]);
}
