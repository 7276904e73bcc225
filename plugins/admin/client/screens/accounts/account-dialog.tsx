import { useState } from "react";
import type { AccountView, RoleChoice } from "../../../src/wire/accounts.js";
import { useSubmit } from "../../app/use-submit.js";
import { t } from "../../messages/text.js";
import { Dialog } from "../../ui/dialog.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { SessionRows } from "../account/session-rows.js";
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
    <QuestionDialog
      answer={t(`accounts.${question}.do`)}
      isDangerous={question === "remove"}
      onAnswer={submit}
      {...{ title, error, isBusy, onClose }}
    >
      <p>{t(`accounts.${question}.text`, { name })}</p>
      {question === "role" && <RoleSelect roles={roles} value={role} onChange={setRole} />}
    </QuestionDialog>
  );
}
