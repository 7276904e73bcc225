import { useState } from "react";
import type { RoleView } from "../../../src/wire/roles.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { Banner, messageOf } from "../../ui/state.js";
import { TextLine } from "../../ui/text-line.js";
import { sayDone } from "../../ui/toast.js";
import { problemsAt } from "../../app/problems.js";
import { useSubmit } from "../../app/use-submit.js";

interface NameRoleProps {
  readonly kind: "new" | "copy" | "rename";
  readonly before: string;
  readonly onNamed: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Names a role that is new, copied or renamed. */
export function NameRole({ kind, before, onNamed, onClose }: NameRoleProps) {
  const [name, setName] = useState(kind === "copy" ? t("roles.copyOf", { name: before }) : before);
  const { error, isBusy, submit } = useSubmit(() => onNamed(name.trim()));
  const ofName = problemsAt(error, "name");
  return (
    <Dialog title={t(`roles.${kind}`)} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {error !== undefined && ofName.length === 0 && <Banner kind="wrong">{messageOf(error)}</Banner>}
        <TextLine
          label={t("account.name")}
          name="role"
          autoFocus
          maxLength={100}
          hint={t(`roles.${kind}.hint`)}
          problems={ofName}
          value={name}
          onChange={setName}
        />
        <Button look="primary" type="submit" isBusy={isBusy}>
          {t(kind === "rename" ? "roles.rename" : "roles.make")}
        </Button>
      </form>
    </Dialog>
  );
}

interface DeleteRoleProps {
  readonly role: RoleView;
  readonly remove: (role: RoleView) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before a role is deleted; of one that is in use it says who has it. */
export function DeleteRole({ role, remove, onClose }: DeleteRoleProps) {
  const { name, origin, accounts, invitations } = role;
  const { error, isBusy, submit } = useSubmit(async () => {
    await remove(role);
    sayDone(t("roles.deleted", { name }));
    onClose();
  });
  const isUsed = origin === null && accounts + invitations > 0;
  if (isUsed)
    return (
      <Dialog
        title={t("roles.delete.title", { name })}
        isOpen
        isAlert
        onClose={onClose}
        footer={<Button onClick={onClose}>{t("action.close")}</Button>}
      >
        <p>{t("roles.delete.used", { accounts, invitations })}</p>
      </Dialog>
    );
  return (
    <QuestionDialog
      title={t("roles.delete.title", { name })}
      isDangerous
      answer={t("action.delete")}
      onAnswer={submit}
      {...{ error, isBusy, onClose }}
    >
      <p>{t(origin === null ? "roles.delete.text" : "roles.delete.added")}</p>
    </QuestionDialog>
  );
}
