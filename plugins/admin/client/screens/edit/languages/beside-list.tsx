import type { AttributeView } from "../../../../src/wire/model.js";
import { attributesOf, useSession } from "../../../app/session.js";
import { type FrameProps, useForm, useItems } from "../../../form/form-context.js";
import { counterpartOf } from "../../../form/counterpart.js";
import { below, type Path } from "../../../form/paths.js";
import { hasItems, type ItemRef } from "../../../form/shape.js";
import { takenOf, takenPart } from "../../../form/transfer.js";
import { isRightToLeft, t } from "../../../messages/text.js";
import { Button, IconButton } from "../../../ui/button.js";
import { useBeside } from "./beside.js";
import styles from "./languages.module.css";
import { ValueView } from "./value-view.js";

/** A component, or a list of them: fields of parts that both languages have stand side by side, others below. */
export function BesideList({ attribute, path, children }: FrameProps) {
  const { store } = useForm();
  const { other, take } = useBeside();
  const mine = useItems(path);
  const theirs = other.form.store;
  const from = counterpartOf(store.leaves, theirs.leaves, path);
  const items = from === undefined ? [] : theirs.itemsAt(from);
  // Parts that the form has none for, by place and kind.
  const extras = items.flatMap((item, index) => (mine[index]?.component === item.component ? [] : [{ item, index }]));
  const forms = { from: theirs, to: store };
  return (
    <div className={styles.list}>
      {from !== undefined && items.length > 0 && attribute.isEditable && (
        <Button
          isSmall
          look="quiet"
          icon="copy"
          className={styles.all}
          onClick={() => take(takenOf(forms, attribute, from, path), attribute.label)}
        >
          {t("languages.take", { field: attribute.label, language: other.name })}
        </Button>
      )}
      {children}
      {from !== undefined &&
        extras.map(({ item, index }) => (
          <Extra
            key={item.key}
            {...{ item, index, attribute }}
            path={below(from, item.key)}
            onTake={(label) => {
              const place = Math.min(index, mine.length);
              take(takenPart(forms, attribute, { item, from, to: path, index: place }), label);
            }}
          />
        ))}
    </div>
  );
}

interface ExtraProps {
  readonly attribute: AttributeView;
  readonly item: ItemRef;
  readonly index: number;
  readonly path: Path;
  readonly onTake: (label: string) => void;
}

/** A part that only the other language has. */
function Extra({ attribute, item, index, path, onTake }: ExtraProps) {
  const session = useSession();
  const { other } = useBeside();
  const { locale, name } = other;
  const label = session.components.get(item.component)?.label ?? item.component;
  const numbered = attribute.isMultiple ? `${index + 1} ${label}` : label;
  return (
    <section className={styles.extra} aria-label={t("languages.only", { part: numbered, language: name })}>
      <div className={styles.otherHead}>
        <span className={styles.label}>
          {numbered}
          <span className={styles.language}>{t("languages.only.note", { language: name })}</span>
        </span>
        {attribute.isEditable && (
          <IconButton
            isSmall
            icon="arrow-right"
            className={styles.arrow}
            label={t("languages.take", { field: numbered, language: name })}
            onClick={() => onTake(numbered)}
          />
        )}
      </div>
      <div lang={locale} dir={isRightToLeft(locale) ? "rtl" : "ltr"}>
        <Values component={item.component} path={path} />
      </div>
    </section>
  );
}

/** What is in a part, field by field, parts inside of it too. */
function Values({ component, path }: { readonly component: string; readonly path: Path }) {
  const session = useSession();
  const { store } = useBeside().other.form;
  return (
    <dl className={styles.values}>
      {Object.entries(attributesOf(session, component)).map(([name, attribute]) => {
        const place = below(path, name);
        return (
          <div key={name}>
            <dt>{attribute.label}</dt>
            <dd>
              {hasItems(attribute) ? (
                store
                  .itemsAt(place)
                  .map((item) => <Values key={item.key} component={item.component} path={below(place, item.key)} />)
              ) : (
                <ValueView
                  {...{ attribute }}
                  value={store.get(place)}
                  path={place}
                  leaves={store.leaves}
                  shapes={session}
                />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
