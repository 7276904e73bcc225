import { EntryLink } from "../../app/entry-link.js";
import { useIsKept } from "../../app/kept-types.js";
import { t } from "../../messages/text.js";
import styles from "./edit.module.css";
import type { OpenDocument } from "./open-document.js";

interface TabsProps {
  readonly opened: OpenDocument;
  readonly tab: Tab;
}

type Tab = "draft" | "published" | "history";

/** The draft, what is live, and earlier versions; nothing where there is the draft alone. */
export function Tabs({ opened, tab }: TabsProps) {
  const { type, id, locale } = opened.place;
  const isKept = useIsKept(type.uid);
  const { entry } = opened.state;
  const isLive = type.hasDrafts && entry !== undefined && entry._facts.state !== "draft";
  if (!isLive && !isKept && tab !== "history") return null;
  const search = locale === undefined ? {} : { locale };
  const link = (name: Tab) => {
    return (
      <EntryLink
        {...{ uid: type.uid, id }}
        search={name === "draft" ? search : { ...search, tab: name }}
        className={styles.tab}
        aria-current={name === tab ? "page" : undefined}
        activeOptions={{ exact: true, includeSearch: true }}
      >
        {t(name === "draft" && !type.hasDrafts ? "tab.form" : `tab.${name}`)}
      </EntryLink>
    );
  };
  return (
    <nav className={styles.tabs} aria-label={t("tab.label")}>
      {link("draft")}
      {isLive && link("published")}
      {isKept && link("history")}
    </nav>
  );
}
