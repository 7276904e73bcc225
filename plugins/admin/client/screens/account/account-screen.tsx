import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { OwnAccount } from "../../../src/wire/accounts.js";
import { useRenewBoot } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Bone, Failed, messageOf, useIsSlow } from "../../ui/state.js";
import { sayWrong } from "../../ui/toast.js";
import styles from "./account.module.css";
import { useAccount } from "./account-api.js";
import { FactorSection } from "./factor-section.js";
import { EmailForm, LookForm, PasswordForm, ProfileForm } from "./profile-forms.js";
import { SessionRows } from "./session-rows.js";

/** One's own account: who one is, and what protects it. */
export function AccountScreen() {
  const { data: account, error, refetch, set, setFactor, isPending } = useAccount();
  const queries = useQueryClient();
  const renew = useRenewBoot();
  const isSlow = useIsSlow(isPending);
  // Name and address are on other screens, too, and in the window that asks to sign in again.
  const take = (changed: OwnAccount) => {
    set(changed);
    void renew().catch((failure) => sayWrong(messageOf(failure)));
  };
  return (
    <div className={styles.screen}>
      <h1>{t("account.mine")}</h1>
      {error && !account && <Failed error={error} retry={() => void refetch()} />}
      {!account && isSlow && [1, 2, 3].map((number) => <Bone key={number} height="11rem" />)}
      {account && (
        <>
          <Section id="profile" title={t("account.profile")} text={t("account.profile.text", { role: account.role })}>
            <ProfileForm account={account} onChange={take} />
            <LookForm onChange={set} />
          </Section>
          <Section id="address" title={t("account.email")} text={t("account.email.text")}>
            <EmailForm account={account} onChange={take} />
          </Section>
          <Section id="password" title={t("account.password")} text={t("account.password.text")}>
            <PasswordForm account={account} onDone={() => void queries.invalidateQueries({ queryKey: ["sessions"] })} />
          </Section>
          <FactorSection account={account} onChange={setFactor} />
          <Section id="sessions" title={t("sessions.title")} text={t("sessions.text")}>
            <SessionRows path="/sessions" isOwn />
          </Section>
        </>
      )}
    </div>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Section({ id, title, text, children }: SectionProps) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.intro}>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
      </div>
      {children}
    </section>
  );
}
