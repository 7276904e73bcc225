import type { SignedIn } from "../../src/wire/account.js";
import { t } from "../messages/text.js";
import { SignInForm } from "../screens/sign-in/sign-in-form.js";
import { Dialog } from "../ui/dialog.js";

interface SignInAgainProps {
  readonly isOpen: boolean;
  readonly email: string;
  readonly onDone: () => void;
}

/** Asks for the password over whatever is open, so that nothing of it is lost. */
export function SignInAgain({ isOpen, email, onDone }: SignInAgainProps) {
  const enter = ({ user, mustSetUp }: SignedIn) => {
    // Somebody else: what is on the screen is not theirs.
    if (user.email === email && !mustSetUp) onDone();
    else location.assign("/admin");
  };
  return (
    <Dialog isOpen={isOpen} title={t("signIn.again")} isAlert>
      <p>{t("signIn.again.text")}</p>
      <SignInForm email={email} onDone={enter} />
    </Dialog>
  );
}
