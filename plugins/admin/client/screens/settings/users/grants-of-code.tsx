import type { CodeGrants, UserRoleDetails } from "../../../../src/wire/end-users.js";
import { t } from "../../../messages/text.js";
import styles from "../frame/settings.module.css";
import { Card } from "../frame/settings-screen.js";
import own from "./users.module.css";

/** Where code grants a role something, and its rules, which no box can show, as they are written. */
export function GrantsOfCode({ role: { type, byCode } }: { readonly role: UserRoleDetails }) {
  return (
    <Card title={t("userRoles.code")} hint={t("userRoles.code.hint")}>
      <div className={own.sources}>
        {byCode.map((grants) => (
          <Source key={grants.source} type={type} grants={grants} />
        ))}
      </div>
    </Card>
  );
}

interface SourceProps {
  readonly type: string;
  readonly grants: CodeGrants;
}

function Source({ type, grants: { source, actions, rules } }: SourceProps) {
  return (
    <div>
      <p>
        <code className={styles.code}>{`${source} › ${type}`}</code>{" "}
        <span className={styles.small}>{t("userRoles.code.count", { count: actions.length })}</span>
      </p>
      {rules.length > 0 && (
        <details>
          <summary>{t("userRoles.code.rules", { count: rules.length })}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than its box is scrolled by keys */}
          <pre className={styles.json} tabIndex={0} dir="ltr">
            {JSON.stringify(rules, undefined, 2)}
          </pre>
        </details>
      )}
    </div>
  );
}
