import { useState } from "react";
import type { Invited, NewInvitation, RoleChoice } from "../../../src/wire/accounts.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Banner, messageOf } from "../../ui/state.js";
import { TextLine } from "../../ui/text-line.js";
import { problemsAt } from "../../app/problems.js";
import { useSubmit } from "../../app/use-submit.js";
import { RoleSelect } from "./role-select.js";

interface InviteDialogProps {
  readonly roles: readonly RoleChoice[];
  readonly hasMail: boolean;
  readonly invite: (invitation: NewInvitation) => Promise<Invited>;
  readonly onInvited: (invited: Invited) => void;
  readonly onClose: () => void;
}

/** Invites somebody to a role. */
export function InviteDialog({ roles, hasMail, invite, onInvited, onClose }: InviteDialogProps) {
  const [values, setValues] = useState({ email: "", role: roles.some(isEditor) ? "editor" : "" });
  const { error, isBusy, submit } = useSubmit(async () => onInvited(await invite(values)));
  const ofEmail = problemsAt(error, "email");
  return (
    <Dialog title={t("invite.title")} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{t(hasMail ? "invite.text.mail" : "invite.text.link")}</p>
        {error !== undefined && ofEmail.length === 0 && <Banner kind="wrong">{messageOf(error)}</Banner>}
        <TextLine
          label={t("account.email")}
          name="email"
          type="email"
          autoComplete="off"
          autoFocus
          problems={ofEmail}
          value={values.email}
          onChange={(email) => setValues({ ...values, email })}
        />
        <RoleSelect roles={roles} value={values.role} onChange={(role) => setValues({ ...values, role })} />
        <Button look="primary" type="submit" isBusy={isBusy} icon={hasMail ? "mail" : "link"}>
          {t(hasMail ? "invite.send" : "invite.make")}
        </Button>
      </form>
    </Dialog>
  );
}

const isEditor = ({ name, mayGive }: RoleChoice): boolean => name === "editor" && mayGive;
