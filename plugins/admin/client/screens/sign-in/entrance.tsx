import type { ReactNode } from "react";
import { EntranceSlot } from "../../app/entrance-slot.js";
import { pageFacts } from "../../app/page-facts.js";
import { t } from "../../messages/text.js";
import { SignInForm } from "./sign-in-form.js";
import styles from "./sign-in.module.css";
import { WelcomeForm } from "./welcome-form.js";

interface EntranceProps {
  /** Path of the page below `/admin`. */
  readonly path: string;
  /** Of the address, without `#`. */
  readonly fragment: string;
  readonly onDone: () => void;
}

/** What somebody sees who is not signed in. */
export function Entrance({ path, fragment, onDone }: EntranceProps) {
  if (path === "/welcome" && fragment !== "")
    return (
      <Card title={t("welcome.title")} text={t("welcome.text")}>
        <WelcomeForm code={fragment} onDone={onDone} />
      </Card>
    );
  return (
    <Card title={t("signIn.title")}>
      <SignInForm onDone={onDone} />
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
        {children}
      </div>
      <EntranceSlot />
    </main>
  );
}
