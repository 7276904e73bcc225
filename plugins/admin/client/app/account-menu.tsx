import { useNavigate } from "@tanstack/react-router";
import { LANGUAGES, t, textLanguage } from "../messages/text.js";
import { Menu } from "../ui/menu.js";
import { chooseLanguage, nameOfLanguage, signOut } from "./account-actions.js";
import styles from "./frame.module.css";
import { useSession } from "./session.js";
import { THEMES, setTheme, themeNow } from "./theme.js";

/** The one who is signed in: theme, language, and the way out. */
export function AccountMenu() {
  const { user } = useSession();
  const navigate = useNavigate();
  const marked = (isNow: boolean) => (isNow ? "✓" : "");
  return (
    <Menu
      label={t("account.menu")}
      text={<span className={styles.name}>{user.name}</span>}
      icon="user"
      groups={[
        [
          {
            id: "account",
            label: t("account.mine"),
            icon: "user",
            run: () => void navigate({ to: "/settings/account" }),
          },
        ],
        THEMES.map(({ theme, icon }) => ({
          id: `theme-${theme}`,
          label: t(`theme.${theme}`),
          icon,
          aside: marked(themeNow() === theme),
          run: () => setTheme(theme),
        })),
        LANGUAGES.map((code) => ({
          id: `language-${code}`,
          label: nameOfLanguage(code),
          icon: "languages" as const,
          aside: marked(textLanguage() === code),
          run: () => chooseLanguage(code),
        })),
        [{ id: "sign-out", label: t("account.signOut"), icon: "log-out", run: () => void signOut(user.documentId) }],
      ]}
    />
  );
}
