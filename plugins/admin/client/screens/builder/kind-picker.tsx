import type { AttributeKind } from "../../../src/wire/model.js";
import { t } from "../../messages/text.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { GROUPS, KINDS, kindLabel, kindText } from "./attribute-kinds.js";
import styles from "./builder.module.css";

interface KindPickerProps {
  /** A component holds no dynamic zone. */
  readonly isComponent: boolean;
  readonly onPick: (kind: AttributeKind) => void;
  readonly onClose: () => void;
}

/** All kinds of attributes, and when each is the right one. */
export function KindPicker({ isComponent, onPick, onClose }: KindPickerProps) {
  const offered = KINDS.filter(({ kind }) => !isComponent || kind !== "dynamiczone");
  return (
    <Dialog isOpen shape="wide" title={t("builder.pickKind")} onClose={onClose}>
      <div className={styles.kinds}>
        {GROUPS.map((group) => (
          <section key={group} aria-label={t(`builder.group.${group}`)}>
            <h3 className={styles.heading}>{t(`builder.group.${group}`)}</h3>
            <div className={styles.kindGrid}>
              {offered
                .filter((info) => info.group === group)
                .map(({ kind, icon }) => (
                  <button key={kind} type="button" className={styles.kind} onClick={() => onPick(kind)}>
                    <Icon name={icon} size={1.25} />
                    <span>
                      <strong>{t(kindLabel(kind))}</strong>
                      <span className={styles.facts}>{t(kindText(kind))}</span>
                    </span>
                  </button>
                ))}
            </div>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
