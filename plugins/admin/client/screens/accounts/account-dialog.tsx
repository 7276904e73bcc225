import { useState } from "react";
import type { AccountView, RoleChoice } from "../../../src/wire/accounts.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Banner, messageOf } from "../../ui/state.js";
import { SessionRows } from "../account/session-rows.js";
import { useSubmit } from "../sign-in/use-submit.js";
import { RoleSelect } from "./role-select.js";

/** What is asked before something is done with an account. */
export type Question = "role" | "deactivate" | "remove" | "reset" | "factor" | "sessions";

interface AccountDialogProps {
  readonly question: Question;
  readonly account: AccountView;
  readonly roles: readonly RoleChoice[];
  readonly onClose: () => void;
  /** Does it; the dialog closes afterwards. */
  readonly act: (question: Question, role: string) => Promise<void>;
}

/** Asks before an account is changed, and says what becomes of it. */
export function AccountDialog({ question, account, roles, onClose, act }: AccountDialogProps) {
  const [role, setRole] = useState(account.role);
  const { error, isBusy, submit } = useSubmit(async () => {
    await act(question, role);
    onClose();
  });
  const { name } = account;
  const title = t(`accounts.${question}.title`, { name });
  if (question === "sessions")
    return (
      <Dialog title={title} isOpen onClose={onClose}>
        <SessionRows path={`/accounts/${account.id}/sessions`} isOwn={false} />
      </Dialog>
    );
  return (
    <Dialog
      title={title}
      isOpen
      isAlert
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look={question === "remove" ? "danger" : "primary"} isBusy={isBusy} onClick={() => void submit()}>
            {t(`accounts.${question}.do`)}
          </Button>
        </>
      }
    >
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <p>{t(`accounts.${question}.text`, { name })}</p>
      {question === "role" && <RoleSelect roles={roles} value={role} onChange={setRole} />}
    </Dialog>
  );
}
