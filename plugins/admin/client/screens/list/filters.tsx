import { Fragment, useState } from "react";
import type { TypeView } from "../../../src/wire/model.js";
import { useSession } from "../../app/session.js";
import { type Condition, type Group, isGroup, type Join, type Part } from "../../app/filter-tree.js";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { PopoverButton } from "../../ui/menu.js";
import { focusBesideRow, ROW } from "../../ui/move-focus.js";
import { useTitles } from "./document-titles.js";
import { attributeOf, documentsOf } from "./filter-condition.js";
import { attributesAt } from "./filter-fields.js";
import { FilterForm } from "./filter-form.js";
import { conditionText } from "./filter-words.js";
import styles from "./list.module.css";

/** Id of what stands above a list. */
export const TOOLBAR = "list-toolbar";

interface FiltersProps {
  readonly type: TypeView;
  readonly group: Group;
  readonly onChange: (group: Group) => void;
}

/** Adds a condition to a group; inside of one it is a plus alone. */
export function FilterButton({
  type,
  group,
  onChange,
  isInner = false,
}: FiltersProps & { readonly isInner?: boolean }) {
  const look = isInner
    ? ({ icon: "plus", isSmall: true } as const)
    : ({ text: t("filter.button"), icon: "filter" } as const);
  return (
    <PopoverButton label={t("filter.add")} look={isInner ? "quiet" : "plain"} {...look}>
      {(close) => (
        <div className={styles.panel}>
          <FilterForm
            type={type}
            onApply={(condition) => {
              onChange({ ...group, parts: [...group.parts, condition] });
              close();
            }}
          />
        </div>
      )}
    </PopoverButton>
  );
}

/** The conditions that hold, each with its way out, and how they are joined. */
export function FilterChips({ type, group, onChange }: FiltersProps) {
  const replace = (index: number, part: Part | undefined) =>
    onChange({ ...group, parts: group.parts.flatMap((known, place) => (place === index ? (part ?? []) : known)) });
  return group.parts.map((part, index) => (
    <Fragment key={JSON.stringify(part)}>
      {index > 0 && <JoinButton join={group.join} onChange={(join) => onChange({ ...group, join })} />}
      {isGroup(part) ? (
        <span className={styles.group}>
          <FilterChips type={type} group={part} onChange={(inner) => replace(index, inner)} />
          <FilterButton isInner type={type} group={part} onChange={(inner) => replace(index, inner)} />
        </span>
      ) : (
        <Chip type={type} condition={part} join={group.join} onChange={(next) => replace(index, next)} />
      )}
    </Fragment>
  ));
}

const other = (join: Join): Join => (join === "$and" ? "$or" : "$and");

function JoinButton({ join, onChange }: { readonly join: Join; readonly onChange: (join: Join) => void }) {
  const label = t(join === "$and" ? "filter.joinedByAnd" : "filter.joinedByOr");
  return (
    <Button isSmall look="quiet" aria-label={label} title={label} onClick={() => onChange(other(join))}>
      {t(join === "$and" ? "filter.and" : "filter.or")}
    </Button>
  );
}

interface ChipProps {
  readonly type: TypeView;
  readonly condition: Condition;
  /** Of the group that it stands in. */
  readonly join: Join;
  readonly onChange: (part: Part | undefined) => void;
}

function Chip({ type, condition, join, onChange }: ChipProps) {
  const session = useSession();
  const target = attributesAt(session, type, attributeOf(condition)).at(-1)?.target ?? "";
  const titleOf = useTitles(target, documentsOf(condition));
  const text = conditionText(session, type, condition, titleOf);
  return (
    <span {...ROW} className={styles.chip}>
      <PopoverButton label={text} text={<span className={styles.chipText}>{text}</span>} isSmall look="quiet">
        {(close) => (
          <ChipPanel
            {...{ type, condition, join }}
            onChange={(part) => {
              onChange(part);
              close();
            }}
          />
        )}
      </PopoverButton>
      <IconButton
        isSmall
        icon="x"
        label={t("filter.remove", { filter: text })}
        onClick={({ currentTarget }) => {
          focusBesideRow(TOOLBAR, currentTarget);
          onChange(undefined);
        }}
      />
    </span>
  );
}

/** Changes a condition, or makes a group of it by another one that is joined with it the other way. */
function ChipPanel({ type, condition, join, onChange }: ChipProps) {
  const [isAdding, setAdding] = useState(false);
  const added = (next: Condition): Part => ({ join: other(join), parts: [condition, next] });
  return (
    <div className={styles.panel}>
      {isAdding ? (
        <FilterForm key="new" type={type} onApply={(next) => onChange(added(next))} />
      ) : (
        <>
          <FilterForm type={type} condition={condition} onApply={onChange} />
          <Button look="quiet" icon="plus" onClick={() => setAdding(true)}>
            {t(join === "$and" ? "filter.addOr" : "filter.addAnd")}
          </Button>
        </>
      )}
    </div>
  );
}
