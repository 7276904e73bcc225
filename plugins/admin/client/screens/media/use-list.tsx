import type { UseList } from "../../../src/wire/content.js";
import { EntryLink } from "../../app/entry-link.js";
import { entryTitle } from "../../app/entry-title.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { StateBadge } from "../../ui/state.js";
import styles from "./detail.module.css";

type Use = UseList["data"][number];

/** Documents that hold a file, each with a link to where it is edited. */
export function UsesOfFile({ uses }: { readonly uses: readonly Use[] }) {
  return (
    <ul className={styles.uses}>
      {uses.map((use) => (
        <li key={`${use.uid} ${use.documentId} ${use.locale} ${use.field}`}>
          <UseLink use={use} />
        </li>
      ))}
    </ul>
  );
}

function UseLink({ use: { uid, documentId, locale, title, field, state } }: { readonly use: Use }) {
  const { types, components, locales } = useSession();
  const type = types.get(uid);
  // Inside of components the component stands before the attribute.
  const [component, name = component ?? ""] = field.split("#");
  const attributes = field.includes("#") ? components.get(component ?? "")?.attributes : type?.attributes;
  const label = attributes?.[name]?.label ?? name;
  const language = locales.find(({ code }) => code === locale)?.name;
  return (
    <EntryLink uid={uid} id={documentId} search={locale ? { locale } : {}} className={styles.use}>
      <span className={styles.useTitle}>{entryTitle(type, { documentId, title })}</span>
      <span className={styles.useMore}>{[type?.label ?? uid, label, language].filter(Boolean).join(" · ")}</span>
      {type?.hasDrafts && <StateBadge state={state} />}
    </EntryLink>
  );
}

/** Said where nobody would miss a file. */
export const NoUses = () => <p className={styles.soft}>{t("file.unused")}</p>;
