import { useState } from "react";
import type { RoleType, RoleView, RuleItem } from "../../../src/wire/roles.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Banner } from "../../ui/state.js";
import type { Cell, CellState } from "./grant-model.js";
import type { OpenCell } from "./matrix.js";
import { actionWord } from "./role-words.js";
import styles from "./roles.module.css";
import { RuleFields } from "./rule-fields.js";
import { RuleRowsForm } from "./rule-rows-form.js";
import { readRows, writeRows } from "./rule-rows.js";

interface CellDialogProps {
  readonly role: RoleView;
  readonly open: OpenCell;
  readonly cell: Cell;
  readonly isReadOnly: boolean;
  /** @param isForAll - whether the rows are for each action of the type that is allowed */
  readonly onApply: (value: "yes" | "no" | RuleItem, isForAll: boolean) => void;
  readonly onClose: () => void;
}

/** A cell of the matrix: whether it is allowed, and for which fields, rows and locales. */
export function CellDialog({ role, open, cell, isReadOnly, onApply, onClose }: CellDialogProps) {
  const [state, setState] = useState<CellState>(cell.state);
  const [rule, setRule] = useState<RuleItem>(cell.rule ?? { action: open.action });
  const [isForAll, setForAll] = useState(false);
  const isLocked = isReadOnly || cell.byCode !== undefined;
  const { type } = open;
  const mayLimit = type?.limitable.includes(open.name) === true;
  const choices: readonly CellState[] = [
    ...(cell.byPattern ? [] : (["no"] as const)),
    "yes",
    ...(mayLimit ? (["part"] as const) : []),
  ];
  const apply = () => {
    onApply(state === "part" ? cleaned(rule) : state, isForAll && state === "part");
    onClose();
  };
  return (
    <Dialog
      title={`${open.label}: ${actionWord(open.name)}`}
      isOpen
      onClose={onClose}
      shape="drawer"
      footer={
        isLocked ? (
          <Button onClick={onClose}>{t("action.close")}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{t("action.cancel")}</Button>
            <Button look="primary" onClick={apply}>
              {t("roles.apply")}
            </Button>
          </>
        )
      }
    >
      <Source role={role} cell={cell} />
      <fieldset className={styles.choices} disabled={isLocked}>
        <legend className="visually-hidden">{t("roles.allowed")}</legend>
        {choices.map((choice) => (
          <label key={choice} className={styles.choice}>
            <input type="radio" name="state" checked={state === choice} onChange={() => setState(choice)} />
            {t(`roles.choice.${choice}`)}
          </label>
        ))}
      </fieldset>
      {state === "part" && type && (
        <LimitForm {...{ type, name: open.name, rule, isLocked, isForAll, setForAll }} onChange={setRule} />
      )}
    </Dialog>
  );
}

/** A rule without limits that are none. */
function cleaned({ action, where, fields, set }: RuleItem): RuleItem {
  return { action, ...(where ? { where } : {}), ...(fields ? { fields } : {}), ...(set ? { set } : {}) };
}

/** Where a grant comes from that cannot be changed here. */
function Source({ role: { origin, name }, cell: { byCode, byPattern } }: Pick<CellDialogProps, "role" | "cell">) {
  if (byCode)
    return (
      <Banner>
        {t(origin === "configured" ? "roles.from.config" : "roles.from.given", { role: name })}{" "}
        <code dir="ltr">{byCode}</code>
      </Banner>
    );
  return byPattern ? <Banner>{t("roles.from.pattern", { pattern: byPattern })}</Banner> : null;
}

interface LimitFormProps {
  readonly type: RoleType;
  readonly name: string;
  readonly rule: RuleItem;
  readonly isLocked: boolean;
  readonly isForAll: boolean;
  readonly setForAll: (isForAll: boolean) => void;
  readonly onChange: (rule: RuleItem) => void;
}

function LimitForm({ type, name, rule, isLocked, isForAll, setForAll, onChange }: LimitFormProps) {
  const setRows = (rows: Parameters<typeof writeRows>[0]) => {
    const { where: _before, ...others } = rule;
    const where = writeRows(rows);
    onChange({ ...others, ...(where ? { where } : {}) });
  };
  const setFields = (fields: readonly string[] | undefined) => {
    const { fields: _before, ...others } = rule;
    onChange({ ...others, ...(fields ? { fields } : {}) });
  };
  return (
    <>
      <RuleRowsForm type={type} rows={readRows(rule.where)} isLocked={isLocked} onChange={setRows} />
      {type.withFields.includes(name) && (
        <RuleFields type={type} fields={rule.fields} isLocked={isLocked} onChange={setFields} />
      )}
      {rule.set && (
        <div>
          <p>{t("roles.set")}</p>
          <pre className={styles.json} dir="ltr">
            {JSON.stringify(rule.set, undefined, 2)}
          </pre>
        </div>
      )}
      {!isLocked && (
        <label className={styles.choice}>
          <input type="checkbox" checked={isForAll} onChange={({ target }) => setForAll(target.checked)} />
          {t("roles.forAll", { type: type.label })}
        </label>
      )}
    </>
  );
}
