import type { InvitationView } from "../../../src/wire/accounts.js";
import { formatDate } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import styles from "../account/account.module.css";

interface InvitationRowsProps {
  readonly invitations: readonly InvitationView[];
  readonly resend: (invitation: InvitationView) => void;
  readonly revoke: (invitation: InvitationView) => void;
}

/** Who was invited and has not come yet. */
export function InvitationRows({ invitations, resend, revoke }: InvitationRowsProps) {
  return (
    <ul className={styles.rows}>
      {invitations.map((invitation) => {
        const { id, email, role, invitedBy } = invitation;
        return (
          <li key={id} className={styles.row}>
            <Icon name="mail" />
            <span className={styles.what}>
              <strong>{email}</strong>
              <span>
                {invitedBy === null ? t("invite.as", { role }) : t("invite.asBy", { role, name: invitedBy })}
                {" · "}
                {untilText(invitation)}
              </span>
            </span>
            <Button isSmall aria-label={t("invite.resend.of", { email })} onClick={() => resend(invitation)}>
              {t("invite.resend")}
            </Button>
            <Button isSmall aria-label={t("invite.revoke.of", { email })} onClick={() => revoke(invitation)}>
              {t("invite.revoke")}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function untilText({ expiresAt }: InvitationView): string {
  const until = new Date(expiresAt);
  const time = formatDate(until, { dateStyle: "medium", timeStyle: "short" });
  return t(until.getTime() > Date.now() ? "invite.until" : "invite.expired", { time });
}
