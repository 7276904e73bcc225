import type { ReactNode } from "react";
import type { AuditEntryView } from "../../../../src/wire/audit.js";
import { useSession } from "../../../app/session.js";
import { t } from "../../../messages/text.js";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { Moment } from "../../list/cell.js";
import styles from "../frame/settings.module.css";
import own from "./audit.module.css";
import type { ChangeAuditSearch } from "./audit-search.js";
import { actorText, actText } from "./entry-words.js";
import { ResultMark } from "./result-mark.js";
import { SubjectLink } from "./subject-link.js";

interface EntryDetailsProps {
  readonly entry: AuditEntryView;
  readonly change: ChangeAuditSearch;
  readonly onClose: () => void;
}

/** All that is known of an entry. What is not kept by the configuration is not there. */
export function EntryDetails({ entry, change, onClose }: EntryDetailsProps) {
  const narrow = (next: Parameters<ChangeAuditSearch>[0]) => {
    change(next);
    onClose();
  };
  const { actor, documentId, uid } = entry;
  return (
    <Dialog
      isOpen
      shape="drawer"
      title={actText(entry.action)}
      onClose={onClose}
      footer={
        <>
          {actor?.id !== undefined && (
            <Button icon="filter" onClick={() => narrow({ actor: `${actor.kind}:${actor.id}` })}>
              {t("audit.onlyActor")}
            </Button>
          )}
          {documentId !== undefined && (
            <Button icon="filter" onClick={() => narrow({ uid, documentId })}>
              {t("audit.onlyDocument")}
            </Button>
          )}
        </>
      }
    >
      <Facts entry={entry} />
      {entry.details && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than its box is scrolled by keys
        <pre className={styles.json} tabIndex={0} dir="ltr">
          {JSON.stringify(entry.details, undefined, 2)}
        </pre>
      )}
    </Dialog>
  );
}

function Facts({ entry }: { readonly entry: AuditEntryView }) {
  const session = useSession();
  const { at, action, result, transport, actor, uid, documentId, locales, attributes } = entry;
  const { requestId, address, agent, id } = entry;
  return (
    <dl className={own.facts}>
      <Fact label={t("audit.time")}>
        <Moment value={at} />
      </Fact>
      <Fact label={t("audit.action")}>
        <code className={styles.code}>{action}</code> <ResultMark result={result} />
      </Fact>
      <Fact label={t("audit.actor")}>
        {actorText(entry, session)}
        {actor?.id && <Code text={`${actor.kind}:${actor.id}`} />}
      </Fact>
      {uid !== undefined && (
        <Fact label={t("audit.about")}>
          <SubjectLink entry={entry} />
          <Code text={[uid, documentId].filter(Boolean).join(" ")} />
        </Fact>
      )}
      {locales && <Fact label={t("list.locales")}>{locales.join(", ")}</Fact>}
      {attributes && <Fact label={t("audit.attributes")}>{attributes.join(", ")}</Fact>}
      <Fact label={t("audit.from")}>{[transport, address].filter(Boolean).join(" · ")}</Fact>
      {agent && <Fact label={t("audit.agent")}>{agent}</Fact>}
      {requestId && (
        <Fact label={t("audit.request")}>
          <Code text={requestId} />
        </Fact>
      )}
      <Fact label={t("audit.number")}>{id}</Fact>
    </dl>
  );
}

const Code = ({ text }: { readonly text: string }) => <code className={own.code}>{text}</code>;

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
