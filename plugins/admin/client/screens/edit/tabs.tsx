import { Link } from "@tanstack/react-router";
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
    const props = {
      className: styles.tab,
      "aria-current": name === tab ? ("page" as const) : undefined,
      search: name === "draft" ? search : { ...search, tab: name },
      activeOptions: { exact: true, includeSearch: true },
    };
    const text = t(name === "draft" && !type.hasDrafts ? "tab.form" : `tab.${name}`);
    return type.kind === "singleType" ? (
      <Link to="/single/$uid" params={{ uid: type.uid }} {...props}>
        {text}
      </Link>
    ) : (
      <Link to="/content/$uid/$id" params={{ uid: type.uid, id }} {...props}>
        {text}
      </Link>
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
