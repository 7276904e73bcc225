import { useEffect, useState } from "react";
import { t } from "../../messages/text.js";
import { IconButton } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import styles from "./list.module.css";
import { isTypedInto } from "./list-keys.js";

const KEYS = [
  ["J", "keys.down"],
  ["K", "keys.up"],
  ["X", "keys.select"],
  ["Enter", "keys.open"],
  ["N", "keys.new"],
  ["/", "keys.search"],
  ["?", "keys.help"],
] as const;

/** Lists the keys of a list; `?` does the same. */
export function KeysButton() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || isTypedInto(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <IconButton icon="command" label={t("keys.title")} onClick={() => setOpen(true)} />
      <Dialog isOpen={isOpen} title={t("keys.title")} onClose={() => setOpen(false)}>
        <dl className={styles.keys}>
          {KEYS.map(([key, text]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{t(text)}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}
