import type { SessionView } from "../../../src/wire/account.js";
import { formatDate } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Bone, Failed, messageOf, useIsSlow } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";
import styles from "./account.module.css";
import { useSessions } from "./account-api.js";
import { classOfNetwork, deviceName } from "./device-name.js";

interface SessionRowsProps {
  /** Where they are: `/sessions`, or those of somebody else. */
  readonly path: string;
  readonly isOwn: boolean;
}

/** Sessions, each with its device and where it was, to be ended one by one or together. */
export function SessionRows({ path, isOwn }: SessionRowsProps) {
  const { data, error, refetch, end, isPending } = useSessions(path);
  const isSlow = useIsSlow(isPending);
  const endNow = async (id?: string) => {
    try {
      await end(id);
      sayDone(t(id === undefined ? "sessions.ended.all" : "sessions.ended"));
    } catch (problem) {
      sayWrong(messageOf(problem));
    }
  };
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return isSlow ? <Bone height="4rem" /> : null;
  if (data.length === 0) return <p className={styles.soft}>{t("sessions.none")}</p>;
  const others = data.filter(({ isCurrent }) => !isCurrent);
  return (
    <>
      <ul className={styles.rows}>
        {[...data]
          .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
          .map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => void endNow(session.id)} />
          ))}
      </ul>
      {others.length > 0 && (
        <div className={styles.buttons}>
          <Button icon="log-out" onClick={() => void endNow()}>
            {t(isOwn ? "sessions.end.others" : "sessions.end.all")}
          </Button>
        </div>
      )}
    </>
  );
}

function SessionRow({ session, onEnd }: { readonly session: SessionView; readonly onEnd: () => void }) {
  const { agent, network, createdAt, lastUsedAt, isCurrent } = session;
  const device = deviceName(agent) ?? t("sessions.unknown");
  const moment = (text: string) => formatDate(new Date(text), { dateStyle: "medium", timeStyle: "short" });
  return (
    <li className={styles.row}>
      <Icon name="monitor" />
      <span className={styles.what}>
        <strong>{device}</strong>
        <span>
          {network !== null && `${t(`network.${classOfNetwork(network)}`, { network })} · `}
          {t("sessions.times", { since: moment(createdAt), last: moment(lastUsedAt) })}
        </span>
      </span>
      {isCurrent ? (
        <span className={styles.mark}>{t("sessions.this")}</span>
      ) : (
        <Button isSmall aria-label={t("sessions.end.of", { device })} onClick={onEnd}>
          {t("sessions.end")}
        </Button>
      )}
    </li>
  );
}
