import type { Entry } from "../../../src/wire/content.js";
import type { TypeView } from "../../../src/wire/model.js";
import { EntryLink } from "../../app/entry-link.js";
import { mayDo, useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import { Icon } from "../../ui/icon.js";
import { StateBadge } from "../../ui/state.js";
import styles from "./list.module.css";
import { titleOf } from "./row-title.js";

interface LanguagesTableProps {
  readonly type: TypeView;
  readonly rows: readonly Entry[];
  readonly isStale: boolean;
}

/** Documents and languages: what of each is missing, a draft, modified or out. Every cell leads to its form. */
export default function LanguagesTable({ type, rows, isStale }: LanguagesTableProps) {
  const session = useSession();
  const { locales } = session;
  const mayStart = mayDo(session, type.uid, "update");
  return (
    <table className={classNames(styles.table, isStale && styles.isStale)}>
      <caption className="visually-hidden">{t("matrix.caption", { type: type.label })}</caption>
      <thead>
        <tr>
          <th scope="col">{type.attributes[type.title]?.label ?? t("list.document")}</th>
          {locales.map(({ code, name }) => (
            <th key={code} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const states = new Map(row._facts.locales.map(({ locale, state }) => [locale, state]));
          return (
            <tr key={row.documentId}>
              <th scope="row" className={styles.rowTitle}>
                <FormLink type={type} row={row} locale={row.locale ?? undefined}>
                  {titleOf(type, row)}
                </FormLink>
              </th>
              {locales.map(({ code, name }) => {
                const state = states.get(code);
                if (state === undefined && !mayStart)
                  return (
                    <td key={code} className={styles.soft}>
                      {t("side.missing")}
                    </td>
                  );
                const word = t(state === undefined ? "side.missing" : `state.${state}`);
                return (
                  <td key={code}>
                    <FormLink type={type} row={row} locale={code} label={`${titleOf(type, row)}, ${name}: ${word}`}>
                      {state === undefined ? (
                        <>
                          <Icon name="plus" size={0.875} />
                          <span>{word}</span>
                        </>
                      ) : (
                        <StateBadge state={state} />
                      )}
                    </FormLink>
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface FormLinkProps {
  readonly type: TypeView;
  readonly row: Entry;
  readonly locale: string | undefined;
  readonly label?: string;
  readonly children: React.ReactNode;
}

const FormLink = ({ type, row, locale, label, children }: FormLinkProps) => (
  <EntryLink
    uid={type.uid}
    id={row.documentId}
    search={locale === undefined ? {} : { locale }}
    className={label === undefined ? styles.title : styles.cellLink}
    aria-label={label}
  >
    {children}
  </EntryLink>
);
