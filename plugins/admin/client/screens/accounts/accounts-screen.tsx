import { useState } from "react";
import type { AccountView, InvitationView, SentLink } from "../../../src/wire/accounts.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Bone, Empty, Failed, messageOf, useIsSlow } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";
import { AccountDialog, type Question } from "./account-dialog.js";
import { useAccounts, useInvitations } from "./accounts-api.js";
import { AccountsTable } from "./accounts-table.js";
import styles from "./accounts.module.css";
import { InvitationRows } from "./invitation-rows.js";
import { InviteDialog } from "./invite-dialog.js";
import { LinkDialog } from "./link-dialog.js";

const ACTION = "plugin::admin.accounts";

interface Asked {
  readonly account: AccountView;
  readonly question: Question;
}

interface ShownLink extends SentLink {
  readonly title: string;
  readonly email: string;
}

/** The administrators, and who was invited to become one. */
export function AccountsScreen() {
  const accounts = useAccounts();
  const [asked, setAsked] = useState<Asked>();
  const [isInviting, setInviting] = useState(false);
  const [shown, setShown] = useState<ShownLink>();
  const isSlow = useIsSlow(accounts.isPending);
  if (accounts.error)
    return (
      <div className={styles.screen}>
        <h1>{t("accounts.title")}</h1>
        <Failed error={accounts.error} retry={() => void accounts.refetch()} action={ACTION} />
      </div>
    );
  const show = (title: string, email: string, sent: SentLink) =>
    sent.link === null ? sayDone(t("link.sent", { email })) : setShown({ title, email, ...sent });
  const act = async (question: Question, role: string) => {
    const { id, name, email } = asked?.account ?? ({} as AccountView);
    if (question === "reset") return show(t("accounts.reset.title", { name }), email, await accounts.linkFor(id));
    if (question === "remove") await accounts.change(id, "DELETE");
    else if (question === "factor") await accounts.change(`${id}/second-factor`, "DELETE");
    else await accounts.change(id, "PUT", question === "role" ? { role } : { isActive: false });
    sayDone(t(`accounts.${question}.done` as "accounts.role.done", { name }));
  };
  const activate = ({ id, name }: AccountView) =>
    accounts.change(id, "PUT", { isActive: true }).then(
      () => sayDone(t("accounts.activate.done", { name })),
      (error: unknown) => sayWrong(messageOf(error)),
    );
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <h1>{t("accounts.title")}</h1>
        <Button look="primary" icon="plus" disabled={!accounts.data} onClick={() => setInviting(true)}>
          {t("invite.button")}
        </Button>
      </div>
      {!accounts.data && isSlow && <Bone height="14rem" />}
      {accounts.data && (
        <AccountsTable
          accounts={accounts.data.data}
          ask={(account, question) => setAsked({ account, question })}
          activate={(account) => void activate(account)}
        />
      )}
      <Invitations isInviting={isInviting} accounts={accounts.data} setInviting={setInviting} show={show} />
      {asked && (
        <AccountDialog {...asked} roles={accounts.data?.roles ?? []} act={act} onClose={() => setAsked(undefined)} />
      )}
      {shown && <LinkDialog {...shown} onClose={() => setShown(undefined)} />}
    </div>
  );
}

interface InvitationsProps {
  readonly isInviting: boolean;
  readonly accounts: ReturnType<typeof useAccounts>["data"];
  readonly setInviting: (isInviting: boolean) => void;
  readonly show: (title: string, email: string, sent: SentLink) => void;
}

function Invitations({ isInviting, accounts, setInviting, show }: InvitationsProps) {
  const invitations = useInvitations();
  const isSlow = useIsSlow(invitations.isPending);
  const doing = (work: Promise<unknown>) => work.catch((error: unknown) => sayWrong(messageOf(error)));
  const resend = async ({ id, email }: InvitationView) => show(t("invite.sent"), email, await invitations.resend(id));
  const revoke = async ({ id, email }: InvitationView) => {
    await invitations.revoke(id);
    sayDone(t("invite.revoked", { email }));
  };
  return (
    <section className={styles.part} aria-labelledby="invitations">
      <h2 id="invitations">{t("invite.list")}</h2>
      {invitations.error && <Failed error={invitations.error} retry={() => void invitations.refetch()} />}
      {!invitations.data && isSlow && <Bone height="4rem" />}
      {invitations.data?.length === 0 && (
        <Empty icon="mail" title={t("invite.empty")} text={t("invite.empty.text")}>
          <Button icon="plus" disabled={!accounts} onClick={() => setInviting(true)}>
            {t("invite.button")}
          </Button>
        </Empty>
      )}
      {invitations.data && invitations.data.length > 0 && (
        <InvitationRows
          invitations={invitations.data}
          resend={(invitation) => void doing(resend(invitation))}
          revoke={(invitation) => void doing(revoke(invitation))}
        />
      )}
      {isInviting && accounts && (
        <InviteDialog
          roles={accounts.roles}
          hasMail={accounts.hasMail}
          invite={invitations.invite}
          onInvited={(invited) => {
            setInviting(false);
            show(t("invite.sent"), invited.invitation.email, invited);
          }}
          onClose={() => setInviting(false)}
        />
      )}
    </section>
  );
}
