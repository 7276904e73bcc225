import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { WorkingCopyView } from "../../../src/wire/working-copy.js";
import { api } from "../../app/api.js";
import { pageFacts } from "../../app/page-facts.js";
import { mayDo, type Session, useSession } from "../../app/session.js";
import { Slot } from "../../app/slot.js";
import { t } from "../../messages/text.js";
import { buttonClass } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Bone, Empty, Failed, useIsSlow } from "../../ui/state.js";
import { Moment } from "../list/cell.js";
import styles from "./home.module.css";
import { recentDocuments } from "./recent.js";

/** Where one left off. */
export function HomeScreen() {
  const session = useSession();
  return (
    <div className={styles.screen}>
      <title>{pageFacts.brand.name}</title>
      <h1>{t("home.title", { name: session.user.name })}</h1>
      <WorkingCopies />
      <Recent session={session} />
      <Create session={session} />
      <Slot name="home" />
    </div>
  );
}

function WorkingCopies() {
  const copies = useQuery({
    queryKey: ["working-copies"],
    queryFn: ({ signal }) => api<{ readonly data: readonly WorkingCopyView[] }>("/working-copies", { signal }),
    staleTime: 0,
  });
  const isSlow = useIsSlow(copies.isPending);
  if (copies.error) return <Failed error={copies.error} retry={() => void copies.refetch()} />;
  if (!copies.data) return isSlow ? <Bone height="6rem" /> : null;
  if (copies.data.data.length === 0) return null;
  return (
    <Card title={t("home.unsaved")} hint={t("home.unsaved.text")}>
      {copies.data.data.map((copy) => (
        <Item key={`${copy.uid} ${copy.documentId} ${copy.locale}`} {...copy} at={copy.savedAt} />
      ))}
    </Card>
  );
}

function Recent({ session }: { readonly session: Session }) {
  const recent = recentDocuments(session.user.documentId).filter(({ uid }) => session.types.has(uid));
  if (recent.length === 0) return null;
  return (
    <Card title={t("home.recent")}>
      {recent.map((document) => (
        <Item key={`${document.uid} ${document.documentId} ${document.locale}`} {...document} />
      ))}
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
    <Card title={t("home.create")}>
      <div className={styles.buttons}>
        {types.map(({ uid, label }) => (
          <Link key={uid} to="/content/$uid/$id" params={{ uid, id: "new" }} className={buttonClass({})}>
            <Icon name="plus" size={1} />
            {label}
          </Link>
        ))}
      </div>
    </Card>
  );
}

interface ItemProps {
  readonly uid: string;
  readonly documentId: string;
  readonly locale: string | null;
  readonly title: string;
  readonly at: string;
}

function Item({ uid, documentId, locale, title, at }: ItemProps) {
  const type = useSession().types.get(uid);
  const draft = documentId.startsWith("new-") ? documentId.slice("new-".length) : undefined;
  const search = { ...(locale ? { locale } : {}), ...(draft === undefined ? {} : { draft }) };
  const isSingle = type?.kind === "singleType";
  const inside = (
    <>
      <span className={styles.title}>{title}</span>
      <span className={styles.soft}>
        {[type?.label ?? uid, locale].filter(Boolean).join(" · ")} · <Moment value={at} />
      </span>
    </>
  );
  return isSingle ? (
    <Link to="/single/$uid" params={{ uid }} search={search} className={styles.item}>
      {inside}
    </Link>
  ) : (
    <Link
      to="/content/$uid/$id"
      params={{ uid, id: draft === undefined ? documentId : "new" }}
      search={search}
      className={styles.item}
    >
      {inside}
    </Link>
  );
}

interface CardProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: React.ReactNode;
}

function Card({ title, hint, children }: CardProps) {
  return (
    <section className={styles.card}>
      <h2>{title}</h2>
      {hint && <p className={styles.soft}>{hint}</p>}
      {children}
    </section>
  );
}
