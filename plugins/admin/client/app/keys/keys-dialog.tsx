import { useRouterState } from "@tanstack/react-router";
import { t } from "../../messages/text.js";
import { Dialog } from "../../ui/dialog.js";
import { sectionsFor } from "./key-list.js";
import { keysText } from "./key-names.js";
import styles from "./keys.module.css";

/** Lists the keys of all screens, those of the one that is shown first. */
export default function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Dialog isOpen shape="wide" title={t("keys.title")} onClose={onClose}>
      <div className={styles.sections}>
        {sectionsFor(path).map(({ title, keys }) => (
          <section key={title}>
            <h3>{t(title)}</h3>
            <dl className={styles.keys}>
              {keys.map(([key, text]) => (
                <div key={key}>
                  <dt>
                    <kbd>{keysText(key)}</kbd>
                  </dt>
                  <dd>{t(text)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
