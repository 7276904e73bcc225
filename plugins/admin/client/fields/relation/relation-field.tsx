import { useState } from "react";
import type { RelatedEntry } from "../../../src/wire/content.js";
import { useForm, useProblems } from "../../form/form-context.js";
import { linkKey } from "../../form/shape.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Field } from "../../ui/field.js";
import { messageOf } from "../../ui/state.js";
import { sayWrong } from "../../ui/toast.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";
import { LinkRow } from "./link-row.js";
import styles from "./relation.module.css";
import { RelationPicker } from "./relation-picker.js";
import { readLinked, relationPath } from "./relations-api.js";
import { useLinks } from "./use-links.js";

/** Documents that this one points to: chosen by search, ordered by menu; more than ten are read when asked for. */
export function RelationField({ path, attribute, isReadOnly }: InputProps) {
  const { store } = useForm();
  const problems = useProblems(path);
  const { isMultiple = false } = attribute;
  const links = useLinks(path, isMultiple);
  const { items, unread } = links;
  return (
    <Field
      id={idOf(path)}
      label={attribute.label}
      hint={attribute.hint}
      isRequired={attribute.isRequired}
      problems={problems}
      aside={items.length + unread > 1 ? String(items.length + unread) : undefined}
    >
      {(ids) => (
        <div id={links.listId} className={styles.field}>
          {items.length > 0 && (
            <ul className={styles.rows}>
              {items.map((entry, index) => (
                <LinkRow
                  key={linkKey(entry)}
                  entry={entry}
                  isReadOnly={isReadOnly}
                  index={index}
                  count={isMultiple ? items.length : 1}
                  onMove={links.move}
                  onRemove={() => links.remove(index)}
                />
              ))}
            </ul>
          )}
          {unread > 0 && <More {...{ path, unread }} />}
          {!isReadOnly && (isMultiple || items.length === 0) && (
            <RelationPicker
              ids={ids}
              attribute={attribute}
              path={relationPath(store, path)}
              chosen={items}
              removed={links.removed}
              hasUnread={unread > 0}
              onPick={links.add}
            />
          )}
          {isReadOnly && items.length === 0 && <p className={styles.note}>{t("relation.none")}</p>}
        </div>
      )}
    </Field>
  );
}

/** Reads the links that were not read with the document. */
function More({ path, unread }: { readonly path: string; readonly unread: number }) {
  const place = useForm();
  const [isBusy, setBusy] = useState(false);
  const read = async () => {
    setBusy(true);
    try {
      const known = (place.store.baseOf(path) as readonly RelatedEntry[] | null) ?? [];
      place.store.extend(path, await readLinked(place, path, known.length));
    } catch (error) {
      sayWrong(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button isSmall look="quiet" disabled={isBusy} onClick={() => void read()}>
      {t("relation.more", { count: unread })}
    </Button>
  );
}
