import { lazy, type ReactNode, Suspense, useState } from "react";
import { EntranceSlot } from "../../app/entrance-slot.js";
import { pageFacts } from "../../app/page-facts.js";
import type { SignedIn } from "../../../src/wire/account.js";
import type { EntranceView } from "../../../src/wire/accounts.js";
import { t } from "../../messages/text.js";
import { SignInForm } from "./sign-in-form.js";
import styles from "./sign-in.module.css";

/** What few who sign in ever see. */
const WelcomeForm = lazy(async () => ({ default: (await import("./welcome-form.js")).WelcomeForm }));
const InvitedForm = lazy(async () => ({ default: (await import("./invited-form.js")).InvitedForm }));
const ForgotForm = lazy(async () => ({ default: (await import("./forgotten-forms.js")).ForgotForm }));
const ResetForm = lazy(async () => ({ default: (await import("./forgotten-forms.js")).ResetForm }));
const SetUpForm = lazy(async () => ({ default: (await import("./set-up-form.js")).SetUpForm }));

interface EntranceProps extends EntranceView {
  /** Path of the page below `/admin`. */
  readonly path: string;
  /** Of the address, without `#`. */
  readonly fragment: string;
  /** Whether somebody has signed in who has to set up a second factor first. */
  readonly mustSetUp: boolean;
  readonly onDone: () => void;
}

/** What somebody sees who is not signed in, or not as a whole. */
export function Entrance({ mustSetUp, onDone, ...rest }: EntranceProps) {
  const [entered, setEntered] = useState<SignedIn>();
  const enter = (signedIn: SignedIn) => (signedIn.mustSetUp ? setEntered(signedIn) : onDone());
  if (mustSetUp || entered)
    return (
      <Card title={t("setUp.title")} text={t("setUp.text")}>
        <SetUpForm confirmation={entered?.confirmation} onDone={onDone} />
      </Card>
    );
  return <Door {...rest} onDone={enter} />;
}

type DoorProps = Omit<EntranceProps, "mustSetUp" | "onDone"> & { readonly onDone: (signedIn: SignedIn) => void };

function Door({ path, fragment, passwordLength, canReset, onDone }: DoorProps) {
  const link = { code: fragment, passwordLength, onDone };
  if (fragment !== "" && path === "/welcome")
    return (
      <Card title={t("welcome.title")} text={t("welcome.text")}>
        <WelcomeForm {...link} />
      </Card>
    );
  if (fragment !== "" && path === "/invited")
    return (
      <Card title={t("welcome.title")}>
        <InvitedForm {...link} />
      </Card>
    );
  if (fragment !== "" && path === "/reset")
    return (
      <Card title={t("reset.title")}>
        <ResetForm {...link} />
      </Card>
    );
  if (canReset && path === "/forgotten")
    return (
      <Card title={t("forgotten.title")} text={t("forgotten.text")}>
        <ForgotForm />
      </Card>
    );
  return (
    <Card title={t("signIn.title")}>
      <SignInForm onDone={onDone} />
      {canReset && (
        <p className={styles.below}>
          <a href="/admin/forgotten">{t("forgotten.link")}</a>
        </p>
      )}
    </Card>
  );
}

function Card({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text?: string;
  readonly children: ReactNode;
}) {
  const { brand } = pageFacts;
  return (
    <main className={styles.screen}>
      <p className={styles.brand}>
        {brand.logo && <img src={brand.logo} alt="" />}
        {brand.name}
      </p>
      <div className={styles.card}>
        <div className={styles.intro}>
          <h1>{title}</h1>
          {text && <p>{text}</p>}
        </div>
        <Suspense>{children}</Suspense>
      </div>
      <EntranceSlot />
    </main>
  );
}
