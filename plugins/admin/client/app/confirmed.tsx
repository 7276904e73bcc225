import { type ReactNode, useState } from "react";
import { t } from "../messages/text.js";
import { problemsAt } from "./problems.js";
import { PasswordInput } from "../screens/sign-in/password-input.js";
import { useSubmit } from "./use-submit.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Banner, messageOf } from "../ui/state.js";
import { ApiError, api, setConfirmation } from "./api.js";

/** Work that may need the password again, and the dialog that asks for it. */
export interface Confirming {
  /** Does it; where the password is needed, once it was given. @returns undefined where it was not @throws what the work throws */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;
  readonly dialog: ReactNode;
}

const isNeeded = (error: unknown): boolean => error instanceof ApiError && error.code === "PLINTH_ADMIN_CONFIRM_NEEDED";

/** Asks for the password again where the server does: for ten minutes it is not asked once more. */
export function useConfirmed(): Confirming {
  const [answer, setAnswer] = useState<(isGiven: boolean) => void>();
  const run = async <Result,>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!isNeeded(error)) throw error;
    }
    const isGiven = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
    setAnswer(undefined);
    return isGiven ? await work() : undefined;
  };
  return { run, dialog: answer && <ConfirmDialog onEnd={answer} /> };
}

function ConfirmDialog({ onEnd }: { readonly onEnd: (isGiven: boolean) => void }) {
  const [password, setPassword] = useState("");
  const { error, isBusy, submit } = useSubmit(async () => {
    const { confirmation } = await api<{ confirmation: string }>("/account/confirm", {
      method: "POST",
      body: { password },
    });
    setConfirmation(confirmation);
    onEnd(true);
  });
  const problems = problemsAt(error, "password").length > 0 ? [t("confirm.wrong")] : [];
  return (
    <Dialog title={t("confirm.title")} isOpen onClose={() => onEnd(false)}>
      <form className="stack" onSubmit={submit}>
        <p>{t("confirm.text")}</p>
        {error !== undefined && problems.length === 0 && <Banner kind="wrong">{messageOf(error)}</Banner>}
        <PasswordInput
          label={t("account.password")}
          autoComplete="current-password"
          autoFocus
          problems={problems}
          value={password}
          onChange={setPassword}
        />
        <Button look="primary" type="submit" isWide isBusy={isBusy}>
          {t("confirm.submit")}
        </Button>
      </form>
    </Dialog>
  );
}
