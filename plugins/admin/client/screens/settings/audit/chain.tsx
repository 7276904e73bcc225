import { useState } from "react";
import type { AuditCheck, AuditHead, SealView } from "../../../../src/wire/audit.js";
import { t } from "../../../messages/text.js";
import { formatDate } from "../../../messages/formats.js";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { messageOf } from "../../../ui/state.js";
import { CopyText } from "../frame/copy-text.js";
import styles from "../frame/settings.module.css";
import own from "./audit.module.css";
import { checkLatest, useHead } from "./audit-requests.js";

/** The head of the chain, by which somebody can prove later that nothing was changed, and a check of its end. */
export function Chain() {
  const head = useHead();
  if (!head.data) return null;
  const { data: seal, meta } = head.data;
  return (
    <details className={own.chain}>
      <summary>
        <Icon name="link" size={1} />
        <span>{seal ? t("audit.sealed", { time: timeOf(seal), entry: seal.last }) : t("audit.unsealed")}</span>
      </summary>
      <div className={own.chainBody}>
        {seal && (
          <>
            <p className={styles.soft}>{t("audit.head.text")}</p>
            <CopyText label={t("audit.head")} text={`${seal.id}:${seal.hash}`} />
          </>
        )}
        <Check />
        <p className={styles.small}>{keptText(meta)}</p>
      </div>
    </details>
  );
}

const timeOf = ({ at }: SealView): string => formatDate(new Date(at), { dateStyle: "medium", timeStyle: "short" });

function keptText({ keeps: { personal, names, days } }: AuditHead["meta"]): string {
  return [
    t("audit.keeps.days", { count: days }),
    t(`audit.keeps.${personal}`),
    t(names ? "audit.keeps.names" : "audit.keeps.noNames"),
  ].join(" ");
}

function Check() {
  const [state, setState] = useState<AuditCheck["data"] | "busy" | Error>();
  const run = async () => {
    setState("busy");
    try {
      setState((await checkLatest()).data);
    } catch (error) {
      setState(error instanceof Error ? error : new Error(messageOf(error)));
    }
  };
  return (
    <div className={styles.line}>
      <Button icon="circle-check" isBusy={state === "busy"} onClick={() => void run()}>
        {t("audit.check")}
      </Button>
      <div role="status">
        {state instanceof Error ? messageOf(state) : typeof state === "object" ? <Found {...state} /> : null}
      </div>
    </div>
  );
}

function Found({ isWhole, break: found, entries, unsealed, isAll, isDone }: AuditCheck["data"]) {
  return (
    <span className={own.found} data-whole={isWhole}>
      <Icon name={isWhole ? "circle-check" : "triangle-alert"} size={1} />
      <span>
        {found ? breakText(found) : t(isAll ? "audit.whole.all" : "audit.whole", { count: entries })}{" "}
        {!isDone && t("audit.notDone")} {unsealed > 0 && t("audit.open", { count: unsealed })}
      </span>
    </span>
  );
}

function breakText({ seal, entry, problem }: NonNullable<AuditCheck["data"]["break"]>): string {
  return entry === undefined
    ? t(`audit.break.seal.${problem}`, { seal })
    : t(`audit.break.entry.${problem}`, { entry, seal });
}
