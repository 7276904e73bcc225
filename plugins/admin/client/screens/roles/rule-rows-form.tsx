import type { RoleType } from "../../../src/wire/roles.js";
import { type Group, readTree, writeTree } from "../../app/filter-tree.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { STATE } from "../list/filter-fields.js";
import { ExcludedFromFilters } from "../list/filter-form.js";
import { FilterButton, FilterChips } from "../list/filters.js";
import styles from "./roles.module.css";
import type { RuleRows } from "./rule-rows.js";

interface RuleRowsFormProps {
  readonly type: RoleType;
  readonly rows: RuleRows;
  readonly isLocked: boolean;
  readonly onChange: (rows: RuleRows) => void;
}

/** A rule holds on every day, and for drafts by an action of their own. */
const EXCLUDED = { comparisons: ["lastDays"], fields: [STATE] } as const;

/** The documents that an action reaches: own ones, locales, and the filters of a list. */
export function RuleRowsForm({ type, rows, isLocked, onChange }: RuleRowsFormProps) {
  const session = useSession();
  const view = session.types.get(type.uid);
  const group = readTree(rows.tree);
  const setGroup = (next: Group) => onChange({ ...rows, tree: writeTree(next) });
  return (
    <fieldset className={styles.choices} disabled={isLocked}>
      <legend>{t("roles.rows")}</legend>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={rows.isOwn}
          onChange={({ target }) => onChange({ ...rows, isOwn: target.checked })}
        />
        {t("roles.rows.own")}
      </label>
      {view && (
        <ExcludedFromFilters value={EXCLUDED}>
          <div className={styles.filters} inert={isLocked}>
            <FilterChips type={view} group={group} onChange={setGroup} />
            <FilterButton type={view} group={group} onChange={setGroup} />
          </div>
        </ExcludedFromFilters>
      )}
      {rows.kept.length > 0 && (
        <div>
          <p>{t("roles.rows.kept")}</p>
          <pre className={styles.json} dir="ltr">
            {JSON.stringify(rows.kept.length === 1 ? rows.kept[0] : { $and: rows.kept }, undefined, 2)}
          </pre>
        </div>
      )}
      {type.isLocalized && <Locales rows={rows} onChange={onChange} />}
    </fieldset>
  );
}

function Locales({ rows, onChange }: Pick<RuleRowsFormProps, "rows" | "onChange">) {
  const { locales: all } = useSession();
  const codes = all.map(({ code }) => code);
  const { locales } = rows;
  const toggle = (code: string, isOn: boolean) => {
    const chosen = locales ?? codes;
    onChange({ ...rows, locales: isOn ? [...chosen, code] : chosen.filter((other) => other !== code) });
  };
  const gone = (locales ?? []).filter((code) => !codes.includes(code)).map((code) => ({ code, name: code }));
  return (
    <fieldset className={styles.choices}>
      <legend>{t("roles.locales")}</legend>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={locales === undefined}
          onChange={({ target }) => onChange({ ...rows, locales: target.checked ? undefined : codes })}
        />
        {t("roles.locales.all")}
      </label>
      <div className={styles.ticks}>
        {[...all, ...gone].map(({ code, name }) => (
          <label key={code} className={styles.choice}>
            <input
              type="checkbox"
              disabled={locales === undefined}
              checked={locales === undefined || locales.includes(code)}
              onChange={({ target }) => toggle(code, target.checked)}
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
