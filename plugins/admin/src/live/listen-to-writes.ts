import { alongLoad, beforeSync, type RegisterContext, type WriteEvent, writeHooks } from "@plinth/core";
import { isShown } from "../content/shown-types.js";
import type { AdminConfig } from "../config.js";
import type { ChangeAction } from "../wire/live.js";
import type { Change } from "./live-messages.js";
import { liveStreams } from "./live-streams.js";

const WRITES = ["create", "update", "publish", "unpublish", "discardDraft", "delete"] as const;

/** Reports every committed write of content that the page shows, over any API. */
export function listenToWrites({ app, on }: RegisterContext<AdminConfig>): void {
  const about: string[] = [];
  const shown = ({ contentTypes }: typeof app.model) =>
    [...contentTypes.values()].filter(isShown).map(({ uid }) => uid);
  on(beforeSync, ({ model }) => void about.splice(0, about.length, ...shown(model)));
  const streams = () => app.service(liveStreams);
  const changes = (
    action: ChangeAction,
    { uid, documentId, locales, origin, ...event }: WriteEvent,
  ): readonly Change[] =>
    locales.map((locale) => ({
      ...{ uid, documentId, locale, action, at: app.clock.now() },
      ...(origin.actor?.kind === "admin" && origin.actor.id !== undefined ? { by: origin.actor.id } : {}),
      isLive: isLive(action, event, locale),
    }));
  for (const action of WRITES)
    on(
      writeHooks[action].on,
      (event) => {
        // A create or update that publishes is reported as a create or update.
        if (action === "publish" && event.publishes) return;
        if (streams().isHeard) streams().tell(changes(action, event));
      },
      { about },
    );
  on(
    alongLoad,
    ({ uid, versions }) => {
      const tell = () => {
        const at = app.clock.now();
        const told = versions.map(
          ({ documentId, locale, isDraft }): Change => ({
            ...{ uid, documentId, locale, at, action: "import", isLive: !isDraft },
          }),
        );
        streams().tell(told);
      };
      if (streams().isHeard) app.db.afterCommit(tell);
      return undefined;
    },
    { about },
  );
}

function isLive(
  action: ChangeAction,
  event: Pick<WriteEvent, "publishes" | "publishedLocales" | "wasPublished">,
  locale: string,
): boolean {
  if (action === "publish" || action === "unpublish") return true;
  if (action === "delete") return event.publishedLocales?.includes(locale) ?? event.wasPublished ?? true;
  return event.publishes ?? false;
}
