import type { AccountView } from "../../../src/wire/accounts.js";
import { formatDate } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import { Menu, type MenuEntry } from "../../ui/menu.js";
import type { Question } from "./account-dialog.js";
import styles from "./accounts.module.css";

interface AccountsTableProps {
  readonly accounts: readonly AccountView[];
  readonly ask: (account: AccountView, question: Question) => void;
  readonly activate: (account: AccountView) => void;
}

/** Who there is, with a menu of what can be done with each. */
export function AccountsTable({ accounts, ask, activate }: AccountsTableProps) {
  return (
    <div className={styles.scroll} data-scroll>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t("account.name")}</th>
            <th scope="col">{t("accounts.role")}</th>
            <th scope="col">{t("accounts.state")}</th>
            <th scope="col">{t("accounts.seen")}</th>
            <th scope="col">{t("secondFactor.title")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("accounts.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <Row key={account.id} account={account} ask={ask} activate={activate} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ account, ask, activate }: Omit<AccountsTableProps, "accounts"> & { readonly account: AccountView }) {
  const { name, email, role, isActive, lastSeenAt, secondFactor, isMe, mayChange } = account;
  return (
    <tr className={classNames(!isActive && styles.inactive)}>
      <th scope="row">
        <span className={styles.person}>
          <strong>
            {name}
            {isMe && <span className={styles.me}> ({t("accounts.me")})</span>}
          </strong>
          {name !== email && <span>{email}</span>}
        </span>
      </th>
      <td data-label={t("accounts.role")}>{role}</td>
      <td data-label={t("accounts.state")}>
        <span className={classNames(styles.badge, isActive && styles.active)}>
          {t(isActive ? "accounts.active" : "accounts.inactive")}
        </span>
      </td>
      <td data-label={t("accounts.seen")}>
        {lastSeenAt
          ? formatDate(new Date(lastSeenAt), { dateStyle: "medium", timeStyle: "short" })
          : t("accounts.never")}
      </td>
      <td data-label={t("secondFactor.title")}>
        {secondFactor.length === 0
          ? t("secondFactor.off")
          : secondFactor.map((kind) => t(`secondFactor.${kind}`)).join(", ")}
      </td>
      <td className={styles.menu}>
        {mayChange && <Menu label={t("accounts.menu", { name })} isSmall groups={entriesOf(account, ask, activate)} />}
      </td>
    </tr>
  );
}

function entriesOf(
  account: AccountView,
  ask: AccountsTableProps["ask"],
  activate: AccountsTableProps["activate"],
): readonly (readonly MenuEntry[])[] {
  const entry = (
    question: Question,
    icon: NonNullable<MenuEntry["icon"]>,
    more: Partial<MenuEntry> = {},
  ): MenuEntry => ({
    ...{ id: question, icon, label: t(`accounts.${question}`), run: () => ask(account, question) },
    ...more,
  });
  return [
    [entry("role", "users"), ...(account.isActive ? [entry("reset", "link")] : []), entry("sessions", "monitor")],
    account.secondFactor.length > 0 ? [entry("factor", "shield-check")] : [],
    [
      account.isActive
        ? entry("deactivate", "lock")
        : { id: "activate", icon: "check", label: t("accounts.activate"), run: () => activate(account) },
      entry("remove", "trash-2", { isDangerous: true }),
    ],
  ];
}
