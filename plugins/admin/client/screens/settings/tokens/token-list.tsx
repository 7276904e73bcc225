import { Link } from "@tanstack/react-router";
import type { ConfiguredToken, TokenList, TokenView } from "../../../../src/wire/tokens.js";
import { t } from "../../../messages/text.js";
import { buttonClass } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { Empty } from "../../../ui/state.js";
import { Moment } from "../../list/cell.js";
import styles from "../frame/settings.module.css";
import { Loaded, Mark, SettingsScreen } from "../frame/settings-screen.js";
import { TokenMenu } from "./token-menu.js";
import { TOKENS_ACTION, useTokens } from "./token-requests.js";

/** Keys for programs. */
export function TokensScreen() {
  const tokens = useTokens();
  return (
    <SettingsScreen title={t("tokens.title")} text={t("tokens.text")} actions={tokens.data && <NewToken />}>
      <Loaded of={tokens} action={TOKENS_ACTION}>
        {(list) => <Tokens {...list} />}
      </Loaded>
    </SettingsScreen>
  );
}

const NewToken = () => (
  <Link to="/settings/tokens/$id" params={{ id: "new" }} className={buttonClass({ look: "primary" })}>
    <Icon name="plus" />
    {t("tokens.new")}
  </Link>
);

function Tokens({ data, meta: { configured } }: TokenList) {
  if (data.length + configured.length === 0)
    return <Empty icon="key" title={t("tokens.empty")} text={t("tokens.empty.text")} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen is scrolled by keys
    <section className={styles.scroll} tabIndex={0} aria-label={t("tokens.title")}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t("tokens.name")}</th>
            <th scope="col">{t("tokens.type")}</th>
            <th scope="col">{t("tokens.expires")}</th>
            <th scope="col">{t("tokens.lastUsed")}</th>
            <th scope="col" className={styles.narrow}>
              <span className="visually-hidden">{t("row.head")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.map((token) => (
            <TokenRow key={token.documentId} token={token} />
          ))}
          {configured.map((token) => (
            <ConfiguredRow key={token.start} token={token} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const isExpired = ({ expiresAt }: TokenView): boolean => expiresAt !== null && Date.parse(expiresAt) <= Date.now();

function TokenRow({ token }: { readonly token: TokenView }) {
  const { documentId, name, description, type, expiresAt, lastUsedAt } = token;
  return (
    <tr>
      <th scope="row">
        <Link to="/settings/tokens/$id" params={{ id: documentId }} className={styles.name}>
          {name}
        </Link>
        {description && <p className={styles.small}>{description}</p>}
      </th>
      <td>{t(`tokens.type.${type}`)}</td>
      <td>
        {isExpired(token) ? (
          <Mark look="wrong">{t("tokens.expired")}</Mark>
        ) : expiresAt === null ? (
          t("tokens.never")
        ) : (
          <Moment value={expiresAt} />
        )}
      </td>
      <td>{lastUsedAt === null ? t("tokens.unused") : <Moment value={lastUsedAt} />}</td>
      <td className={styles.narrow}>
        <TokenMenu token={token} isSmall />
      </td>
    </tr>
  );
}

/** What `config/access` holds is changed there. */
function ConfiguredRow({ token: { start, grant } }: { readonly token: ConfiguredToken }) {
  return (
    <tr>
      <th scope="row">
        <span className={styles.line}>
          <code className={styles.code}>{start}…</code>
          <Mark>{t("tokens.configured")}</Mark>
        </span>
        <p className={styles.small}>{t("tokens.configured.text")}</p>
      </th>
      <td>
        {typeof grant === "string" ? t(`tokens.grant.${grant}`) : t("tokens.grant.some", { count: grant.length })}
      </td>
      <td>{t("tokens.never")}</td>
      <td>–</td>
      <td className={styles.narrow}>
        <Icon name="lock" size={1} />
      </td>
    </tr>
  );
}
