import { useState } from "react";
import type { GrantItem, PageAction, RoleList, RoleType, RoleView, RuleItem } from "../../../src/wire/roles.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Field, TextArea, tiedTo } from "../../ui/field.js";
import { Icon } from "../../ui/icon.js";
import { CellDialog } from "./cell-dialog.js";
import { cellOf, otherItems, withAction } from "./grant-model.js";
import { Matrix, type OpenCell } from "./matrix.js";
import { pageWords, wordsOf } from "./role-words.js";
import styles from "./roles.module.css";

/** What of a role is edited. */
export interface RoleValues {
  readonly grant: readonly GrantItem[];
  readonly description: string;
  readonly requiresSecondFactor: boolean;
}

interface RoleFormProps {
  readonly role: RoleView;
  readonly list: RoleList;
  readonly values: RoleValues;
  readonly isReadOnly: boolean;
  readonly onChange: (values: RoleValues) => void;
}

/** All of a role: matrix, actions of the page, further rules, and what it comes to in words. */
export function RoleForm({ role, list, values, isReadOnly, onChange }: RoleFormProps) {
  const [open, setOpen] = useState<OpenCell>();
  const { grant } = values;
  const edited = { byCode: role.byCode, grant };
  const setGrant = (next: readonly GrantItem[]) => onChange({ ...values, grant: next });
  const apply = (value: "yes" | "no" | RuleItem, isForAll: boolean) => {
    if (!open) return;
    const next = withAction(grant, open.action, value);
    setGrant(
      isForAll && open.type && typeof value === "object"
        ? withRows(next, { ...role, grant: next }, open.type, value)
        : next,
    );
  };
  return (
    <>
      <Basics role={role} values={values} isReadOnly={isReadOnly} onChange={onChange} />
      <section className={styles.block} aria-labelledby="matrix">
        <h2 id="matrix">{t("roles.content")}</h2>
        <p className={styles.soft}>{t("roles.keys")}</p>
        <Matrix
          role={role}
          grant={grant}
          types={list.types}
          isReadOnly={isReadOnly}
          onChange={setGrant}
          onOpen={setOpen}
        />
      </section>
      <PageActions role={edited} actions={list.actions} isReadOnly={isReadOnly} onChange={setGrant} />
      <Others
        items={otherItems(grant, list.types, list.actions)}
        isReadOnly={isReadOnly}
        onRemove={(item) => setGrant(grant.filter((each) => each !== item))}
      />
      <Words role={edited} list={list} />
      {open && (
        <CellDialog
          role={role}
          open={open}
          cell={cellOf(edited, open.action)}
          isReadOnly={isReadOnly}
          onApply={apply}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

/** The rows of a rule for each action of a type that is allowed and not locked; their fields stay. */
function withRows(
  grant: readonly GrantItem[],
  role: RoleView,
  { uid, limitable }: RoleType,
  { where }: RuleItem,
): readonly GrantItem[] {
  return limitable.reduce((known, name) => {
    const action = `${uid}.${name}`;
    const cell = cellOf({ ...role, grant: known }, action);
    if (cell.state === "no" || cell.byCode) return known;
    const { where: _before, ...others } = cell.rule ?? { action };
    return withAction(known, action, { ...others, action, ...(where ? { where } : {}) });
  }, grant);
}

function Basics({ role, values, isReadOnly, onChange }: Omit<RoleFormProps, "list">) {
  const isRequired = values.requiresSecondFactor || role.isRequiredByConfig;
  if (role.name === "super")
    return role.isRequiredByConfig ? <p className={styles.soft}>{t("roles.factor.byConfig")}</p> : null;
  return (
    <section className={styles.block}>
      <Field label={t("roles.description")}>
        {(ids) => (
          <TextArea
            {...tiedTo(ids)}
            readOnly={isReadOnly}
            maxLength={2000}
            rows={2}
            value={values.description}
            onChange={({ target }) => onChange({ ...values, description: target.value })}
          />
        )}
      </Field>
      <label className={styles.choice}>
        <input
          type="checkbox"
          disabled={isReadOnly || role.isRequiredByConfig}
          checked={isRequired}
          onChange={({ target }) => onChange({ ...values, requiresSecondFactor: target.checked })}
        />
        <span>
          {t("roles.factor")}
          <span className={styles.soft}>
            {t(role.isRequiredByConfig ? "roles.factor.byConfig" : "roles.factor.hint")}
          </span>
        </span>
      </label>
    </section>
  );
}

interface PageActionsProps {
  readonly role: Pick<RoleView, "byCode" | "grant">;
  readonly actions: readonly PageAction[];
  readonly isReadOnly: boolean;
  readonly onChange: (grant: readonly GrantItem[]) => void;
}

function PageActions({ role, actions, isReadOnly, onChange }: PageActionsProps) {
  return (
    <section className={styles.block} aria-labelledby="page-actions">
      <h2 id="page-actions">{t("roles.page")}</h2>
      <ul className={styles.actions}>
        {actions.map(({ name, text, mayGive }) => {
          const cell = cellOf(role, name);
          const from = cell.byCode ?? cell.byPattern;
          return (
            <li key={name}>
              <label className={styles.choice}>
                <input
                  type="checkbox"
                  disabled={isReadOnly || from !== undefined || !mayGive}
                  checked={cell.state !== "no"}
                  onChange={({ target }) => onChange(withAction(role.grant, name, target.checked ? "yes" : "no"))}
                />
                <span>
                  <span lang="en">{text}</span>
                  <span className={styles.soft}>
                    <code dir="ltr">{name}</code>
                    {cell.byCode && <Icon name="lock" size={0.8} />}
                    {from !== undefined && ` ${t(cell.byCode ? "roles.locked" : "roles.byPattern", { pattern: from })}`}
                  </span>
                </span>
              </label>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface OthersProps {
  readonly items: readonly GrantItem[];
  readonly isReadOnly: boolean;
  readonly onRemove: (item: GrantItem) => void;
}

/** What no cell shows: it is kept as it is until somebody takes it out. */
function Others({ items, isReadOnly, onRemove }: OthersProps) {
  if (items.length === 0) return null;
  return (
    <section className={styles.block} aria-labelledby="others">
      <h2 id="others">{t("roles.others")}</h2>
      <p className={styles.soft}>{t("roles.others.text")}</p>
      <ul className={styles.list}>
        {items.map((item) => (
          <li key={JSON.stringify(item)} className={styles.role}>
            <pre className={styles.json} dir="ltr">
              {typeof item === "string" ? item : JSON.stringify(item, undefined, 2)}
            </pre>
            {!isReadOnly && (
              <Button
                isSmall
                aria-label={t("roles.removeOf", { item: typeof item === "string" ? item : item.action })}
                onClick={() => onRemove(item)}
              >
                {t("totp.remove")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Words({ role, list }: { readonly role: Pick<RoleView, "byCode" | "grant">; readonly list: RoleList }) {
  const session = useSession();
  const words = wordsOf(session, role, list.types);
  const page = pageWords(role, list.actions);
  return (
    <section className={styles.block} aria-labelledby="words">
      <h2 id="words">{t("roles.words")}</h2>
      {words.length + page.length === 0 && <p>{t("roles.words.nothing")}</p>}
      <dl className={styles.words}>
        {words.map(({ label, lines }) => (
          <div key={label}>
            <dt>{label}</dt>
            {lines.map((line) => (
              <dd key={line}>{line}</dd>
            ))}
          </div>
        ))}
        {page.length > 0 && (
          <div>
            <dt>{t("roles.page")}</dt>
            {page.map((line) => (
              <dd key={line} lang="en">
                {line}
              </dd>
            ))}
          </div>
        )}
      </dl>
    </section>
  );
}
