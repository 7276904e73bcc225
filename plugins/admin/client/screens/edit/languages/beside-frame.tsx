import { useCallback, useSyncExternalStore } from "react";
import { type FrameProps, useForm, useValue } from "../../../form/form-context.js";
import { counterpartOf } from "../../../form/counterpart.js";
import type { Path } from "../../../form/paths.js";
import { hasItems } from "../../../form/shape.js";
import { isWrittenAlike } from "../../../form/stored-value.js";
import { takenOf } from "../../../form/transfer.js";
import { isRightToLeft, t } from "../../../messages/text.js";
import { IconButton } from "../../../ui/button.js";
import { useSession } from "../../../app/session.js";
import { useBeside } from "./beside.js";
import { BesideList } from "./beside-list.js";
import styles from "./languages.module.css";
import { ValueView } from "./value-view.js";

/** A field with the same one of another language before it. What is the same in all languages stands once. */
export function BesideFrame({ attribute, path, children }: FrameProps) {
  const { store } = useForm();
  const [root = ""] = path.split(".");
  if (store.attributes[root]?.isLocalized === false) return path === root ? <Shared>{children}</Shared> : children;
  if (hasItems(attribute)) return <BesideList {...{ attribute, path }}>{children}</BesideList>;
  return (
    <div className={styles.pair}>
      <Other attribute={attribute} path={path} />
      <div className={styles.mine}>{children}</div>
    </div>
  );
}

const Shared = ({ children }: Pick<FrameProps, "children">) => (
  <div className={styles.shared}>
    {children}
    <p className={styles.note}>{t("languages.shared")}</p>
  </div>
);

/** The path of the other language's field; drawn again when parts of the form move. */
function useCounterpart(path: Path): Path | undefined {
  const { store } = useForm();
  const { other } = useBeside();
  const [root = ""] = path.split(".");
  const subscribe = useCallback((listener: () => void) => store.subscribe(root, listener), [store, root]);
  return useSyncExternalStore(subscribe, () => counterpartOf(store.leaves, other.form.store.leaves, path));
}

function Other({ attribute, path }: Omit<FrameProps, "children">) {
  const { store } = useForm();
  const shapes = useSession();
  const { other, take } = useBeside();
  const from = useCounterpart(path);
  const [mine] = useValue<unknown>(path);
  const { locale, name, form } = other;
  if (from === undefined) return <p className={styles.nothing}>{t("languages.noPart", { language: name })}</p>;
  const value = form.store.get(from);
  const isSame = isWrittenAlike(attribute, value, mine);
  const mayTake = attribute.isEditable && attribute.kind !== "password";
  const label = t("languages.take", { field: attribute.label, language: name });
  return (
    <div className={styles.other}>
      <div className={styles.otherHead}>
        <span className={styles.label}>
          {attribute.label}
          <span className={styles.language}>{name}</span>
        </span>
        {mayTake && (
          <IconButton
            isSmall
            icon={isSame ? "check" : "arrow-right"}
            label={isSame ? t("languages.same", { field: attribute.label, language: name }) : label}
            className={styles.arrow}
            aria-disabled={isSame || undefined}
            onClick={() =>
              isSame || take(takenOf({ from: form.store, to: store }, attribute, from, path), attribute.label)
            }
          />
        )}
      </div>
      <div lang={locale} dir={isRightToLeft(locale) ? "rtl" : "ltr"} className={styles.value}>
        <ValueView {...{ attribute, value, shapes }} path={from} leaves={form.store.leaves} />
        <Unread path={from} />
      </div>
    </div>
  );
}

/** How many links a relation has that were not read; the arrow takes them too. */
function Unread({ path }: { readonly path: Path }) {
  const { store } = useBeside().other.form;
  const total = store.base.totals.get(path) ?? 0;
  const known = [store.get(path) ?? []].flat().length;
  return total > known ? <p className={styles.note}>{t("languages.more", { count: total - known })}</p> : null;
}
