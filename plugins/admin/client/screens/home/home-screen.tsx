import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { WorkingCopyView } from "../../../src/wire/working-copy.js";
import { api } from "../../app/api.js";
import { pageFacts } from "../../app/page-facts.js";
import { mayDo, type Session, useSession } from "../../app/session.js";
import { Slot } from "../../app/slot.js";
import { t } from "../../messages/text.js";
import { buttonClass } from "../../ui/button.js";
import { Boundary } from "../../ui/boundary.js";
import { Icon } from "../../ui/icon.js";
import { Banner, Empty, messageOf } from "../../ui/state.js";
import { Card, Loaded, Nothing } from "./card.js";
import { ChangedCard } from "./changed-card.js";
import { FailedCard } from "./failed-card.js";
import styles from "./home.module.css";
import { Item } from "./item.js";
import { PlannedCard } from "./planned-card.js";
import { recentDocuments } from "./recent.js";

/** Where one left off, and what happened meanwhile. Each card reads for itself, and fails for itself. */
export function HomeScreen() {
  const session = useSession();
  const reads = [...session.types.keys()].some((uid) => mayDo(session, uid, "find"));
  return (
    <div className={styles.screen}>
      <title>{pageFacts.brand.name}</title>
      <h1>{t("home.title", { name: session.user.name })}</h1>
      <Create session={session} />
      <div className={styles.cards}>
        <div className={styles.column}>
          <Safe part={WorkingCopies} />
          <Safe part={Recent} />
        </div>
        <div className={styles.column}>
          <Safe part={FailedCard} />
          {reads && session.plugins.includes("schedule") && <Safe part={PlannedCard} />}
          {reads && <Safe part={ChangedCard} />}
        </div>
      </div>
      <Slot name="home" />
    </div>
  );
}

/** A card; where it cannot be drawn, the others are there all the same. */
function Safe({ part: Part }: { readonly part: ComponentType }) {
  const broken = (error: unknown) => <Banner kind="wrong">{messageOf(error)}</Banner>;
  return (
    <Boundary fallback={broken}>
      <Part />
    </Boundary>
  );
}

function WorkingCopies() {
  const copies = useQuery({
    queryKey: ["working-copies"],
    queryFn: ({ signal }) => api<{ readonly data: readonly WorkingCopyView[] }>("/working-copies", { signal }),
    staleTime: 0,
  });
  const isAny = (copies.data?.data.length ?? 0) > 0;
  return (
    <Card title={t("home.unsaved")} icon="pencil" {...(isAny ? { hint: t("home.unsaved.text") } : {})}>
      <Loaded query={copies}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>{t("home.unsaved.none")}</Nothing>
          ) : (
            data.map((copy) => (
              <Item key={`${copy.uid} ${copy.documentId} ${copy.locale}`} {...copy} at={copy.savedAt} />
            ))
          )
        }
      </Loaded>
    </Card>
  );
}

function Recent() {
  const session = useSession();
  const recent = recentDocuments(session.user.documentId).filter(({ uid }) => session.types.has(uid));
  return (
    <Card title={t("home.recent")} icon="files">
      {recent.length === 0 ? (
        <Nothing>{t("home.recent.none")}</Nothing>
      ) : (
        recent.map((document) => (
          <Item key={`${document.uid} ${document.documentId} ${document.locale}`} {...document} />
        ))
      )}
    </Card>
  );
}

function Create({ session }: { readonly session: Session }) {
  const types = [...session.types.values()].filter(
    ({ uid, kind }) => kind === "collectionType" && mayDo(session, uid, "create"),
  );
  if (types.length === 0)
    return <Empty icon="lock" title={t("home.nothing")} text={t("home.nothing.text", { role: session.user.role })} />;
  return (
    <section aria-label={t("home.create")} className={styles.buttons}>
      {types.map(({ uid, label }) => (
        <Link key={uid} to="/content/$uid/$id" params={{ uid, id: "new" }} className={buttonClass({})}>
          <Icon name="plus" size={1} />
          {label}
        </Link>
      ))}
    </section>
  );
}
