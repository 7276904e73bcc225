import { useState } from "react";
import type { AttributeKind } from "../../../src/wire/model.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { classNames } from "../../ui/class-names.js";
import { Icon } from "../../ui/icon.js";
import { ADD, focusAfterRemoval, focusSoon } from "../../ui/move-focus.js";
import { AttributeDrawer } from "./attribute-drawer.js";
import { kindLabel, kindOf } from "./attribute-kinds.js";
import { attributeFacts } from "./attribute-facts.js";
import styles from "./builder.module.css";
import { attributesOf, type DraftedShape, movedAttribute, type RawAttribute, storedName } from "./draft.js";
import { removedAttribute } from "./edit-attributes.js";
import { KindPicker } from "./kind-picker.js";
import { NewAttributeDialog } from "./new-attribute-dialog.js";
import { OrderedRow } from "./ordered-row.js";
import { problemsAt, problemText, useDraft } from "./use-builder.js";

interface ListProps {
  readonly shape: DraftedShape;
  readonly isReadOnly: boolean;
}

const LIST = "builder-attributes";

/** What is open beside the list. */
type Open = { readonly name: string } | { readonly kind: AttributeKind } | "picker";

/** The attributes of a type or component. */
export function AttributeList({ shape, isReadOnly }: ListProps) {
  const { change } = useDraft();
  const [open, setOpen] = useState<Open>();
  const entries = Object.entries(attributesOf(shape));
  const close = () => setOpen(undefined);
  const move = (from: number, to: number) => change((draft) => movedAttribute(draft, shape.uid, from, to));
  const remove = (name: string, index: number) => {
    change((draft) => removedAttribute(draft, shape.uid, name));
    focusAfterRemoval(LIST, index);
  };
  /** The drawer and the row of an attribute are about another name from then on. */
  const rename = (name: string) => setOpen({ name });
  return (
    <section className={styles.sheet} aria-label={t("builder.attributes")} id={LIST}>
      <h3>{t("builder.attributes")}</h3>
      {entries.length === 0 && <p className={styles.soft}>{t("builder.noAttributes")}</p>}
      {entries.map(([name, attribute], index) => (
        <OrderedRow key={name} list={LIST} onMove={move} {...{ name, index, isReadOnly, count: entries.length }}>
          <AttributeRow {...{ shape, name, attribute, isReadOnly }} onOpen={() => setOpen({ name })} />
          {!isReadOnly && (
            <Button
              isSmall
              look="quiet"
              icon="trash-2"
              aria-label={t("builder.removeAttribute", { name })}
              onClick={() => remove(name, index)}
            >
              <span className={styles.wideOnly}>{t("action.delete")}</span>
            </Button>
          )}
        </OrderedRow>
      ))}
      <Others shape={shape} />
      {!isReadOnly && (
        <div {...ADD}>
          <Button icon="plus" onClick={() => setOpen("picker")}>
            {t("builder.addAttribute")}
          </Button>
        </div>
      )}
      {open === "picker" && (
        <KindPicker isComponent={shape.shape === "component"} onClose={close} onPick={(kind) => setOpen({ kind })} />
      )}
      {typeof open === "object" && "kind" in open && (
        <NewAttributeDialog
          {...{ shape, kind: open.kind, onClose: close }}
          onAdded={(name) => {
            close();
            focusSoon(() => document.getElementById(rowId(name)));
          }}
        />
      )}
      {typeof open === "object" && "name" in open && (
        <AttributeDrawer {...{ shape, isReadOnly, name: open.name, onClose: close, onRename: rename }} />
      )}
    </section>
  );
}

const rowId = (name: string): string => `attribute-${name}`;

interface RowProps extends ListProps {
  readonly name: string;
  readonly attribute: RawAttribute;
  readonly onOpen: () => void;
}

function AttributeRow({ shape, name, attribute, onOpen }: RowProps) {
  const { draft, problems } = useDraft();
  const kind = kindOf(attribute);
  const stored = storedName(draft, shape.uid, name, attribute);
  const wrong = problemsAt(problems, shape.uid, `attributes.${name}`);
  const state = stored === undefined ? "new" : stored === name ? undefined : "renamed";
  return (
    <button
      type="button"
      id={rowId(name)}
      className={classNames(styles.attribute, wrong.length > 0 && styles.isWrong)}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
      onClick={onOpen}
    >
      <Icon name={kind?.icon ?? "braces"} size={1.125} />
      <span className={styles.grow}>
        <strong>{name}</strong>
        {state === "renamed" && <span className={styles.soft}> {t("builder.wasNamed", { name: stored ?? "" })}</span>}
        <span className={styles.facts}>
          {[kind ? t(kindLabel(kind.kind)) : String(attribute["type"]), ...attributeFacts(attribute)].join(" · ")}
        </span>
        {wrong.map((problem) => (
          <span key={problem.path + problem.message} className={styles.wrong}>
            {problemText(problem)}
          </span>
        ))}
      </span>
      {state && <span className={styles.mark}>{t(`builder.state.${state}`)}</span>}
    </button>
  );
}

/** Attributes that are written elsewhere. */
function Others({ shape }: { readonly shape: DraftedShape }) {
  const names = Object.keys(shape.others);
  if (names.length === 0) return null;
  return (
    <p className={styles.soft}>
      {t("builder.others", { count: names.length })} {names.join(", ")}
    </p>
  );
}
