import { Link } from "@tanstack/react-router";
import { t } from "../../messages/text.js";
import styles from "./edit.module.css";
import type { OpenDocument } from "./open-document.js";

interface TabsProps {
  readonly opened: OpenDocument;
  readonly tab: "draft" | "published";
}

/** The draft and what is live. */
export function Tabs({ opened, tab }: TabsProps) {
  const { type, id, locale } = opened.place;
  if (opened.state.entry?._facts.state === "draft") return null;
  const search = locale === undefined ? {} : { locale };
  const link = (name: "draft" | "published") => {
    const props = {
      className: styles.tab,
      "aria-current": name === tab ? ("page" as const) : undefined,
      search: name === "published" ? { ...search, tab: name } : search,
      activeOptions: { exact: true, includeSearch: true },
    };
    return type.kind === "singleType" ? (
      <Link to="/single/$uid" params={{ uid: type.uid }} {...props}>
        {t(`tab.${name}`)}
      </Link>
    ) : (
      <Link to="/content/$uid/$id" params={{ uid: type.uid, id }} {...props}>
        {t(`tab.${name}`)}
      </Link>
    );
  };
  return (
    <nav className={styles.tabs} aria-label={t("tab.label")}>
      {link("draft")}
      {link("published")}
    </nav>
  );
}
