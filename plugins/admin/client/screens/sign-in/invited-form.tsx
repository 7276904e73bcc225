import { useEffect, useState } from "react";
import type { SignedIn } from "../../../src/wire/account.js";
import type { InvitationLook } from "../../../src/wire/accounts.js";
import { api } from "../../app/api.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Banner, Bone, messageOf, useIsSlow } from "../../ui/state.js";
import { TextLine } from "../../ui/text-line.js";
import { BackToSignIn } from "./back-to-sign-in.js";
import { NewPassword } from "./new-password.js";
import { problemsAt } from "../../app/problems.js";
import styles from "./sign-in.module.css";
import { useSubmit } from "../../app/use-submit.js";

interface InvitedFormProps {
  readonly code: string;
  readonly passwordLength: number;
  readonly onDone: (signedIn: SignedIn) => void;
}

/** Makes the account of somebody who was invited. */
export function InvitedForm({ code, ...rest }: InvitedFormProps) {
  const [invited, setInvited] = useState<InvitationLook>();
  const [problem, setProblem] = useState<unknown>();
  const isSlow = useIsSlow(!invited && problem === undefined);
  useEffect(() => {
    api<InvitationLook>("/invitations/look", { method: "POST", body: { code } }).then(setInvited, setProblem);
  }, [code]);
  if (problem !== undefined)
    return (
      <div className={styles.form}>
        <Banner kind="wrong">{messageOf(problem)}</Banner>
        <BackToSignIn />
      </div>
    );
  if (!invited) return isSlow ? <Bone height="12rem" /> : null;
  return <AcceptForm code={code} invited={invited} {...rest} />;
}

function AcceptForm({
  code,
  invited,
  passwordLength,
  onDone,
}: InvitedFormProps & { readonly invited: InvitationLook }) {
  const [values, setValues] = useState({ name: "", password: "" });
  const { error, isBusy, submit } = useSubmit(async () =>
    onDone(await api<SignedIn>("/invitations/accept", { method: "POST", body: { code, ...values } })),
  );
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>{t("invited.text", { ...invited })}</p>
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <TextLine
        label={t("account.email")}
        name="email"
        type="email"
        autoComplete="username"
        isReadOnly
        value={invited.email}
        onChange={() => undefined}
      />
      <TextLine
        label={t("account.name")}
        name="name"
        autoComplete="name"
        autoFocus
        value={values.name}
        problems={problemsAt(error, "name")}
        onChange={(name) => setValues({ ...values, name })}
      />
      <NewPassword
        minLength={passwordLength}
        known={[values.name, invited.email]}
        problems={problemsAt(error, "password")}
        value={values.password}
        onChange={(password) => setValues({ ...values, password })}
      />
      <Button look="primary" type="submit" isWide isBusy={isBusy}>
        {t("welcome.submit")}
      </Button>
    </form>
  );
}
