import { useCallback, useMemo } from "react";
import { useSession } from "../../../app/session.js";
import { t } from "../../../messages/text.js";
import { Field, TextArea, tiedTo } from "../../../ui/field.js";
import { ActionMatrix, type ChangeActions } from "../action-matrix.js";
import styles from "../frame/settings.module.css";
import { Loaded } from "../frame/settings-screen.js";
import type { ChangeDraft } from "../frame/use-draft.js";
import { groupActions } from "../group-actions.js";
import { withActions } from "../with-actions.js";
import { coveredBy, readRules, type TokenDraft } from "./token-draft.js";
import { TOKENS_ACTION, useGrantable } from "./token-requests.js";

interface TokenPermissionsProps {
  readonly draft: TokenDraft;
  readonly problems: readonly string[];
  readonly change: ChangeDraft<TokenDraft>;
}

/** What a custom token may do: boxes for actions, and rules for some rows or fields as JSON. */
export function TokenPermissions({ draft, problems, change }: TokenPermissionsProps) {
  const grantable = useGrantable();
  return (
    <Loaded of={grantable} action={TOKENS_ACTION}>
      {({ data }) => (
        <>
          <Boxes draft={draft} change={change} actions={data.map(({ action }) => action)} />
          <Rules {...{ draft, problems, change }} />
        </>
      )}
    </Loaded>
  );
}

interface BoxesProps extends Omit<TokenPermissionsProps, "problems"> {
  readonly actions: readonly string[];
}

function Boxes({ draft, change, actions }: BoxesProps) {
  const { types } = useSession();
  const groups = useMemo(() => groupActions(actions, types), [actions, types]);
  const locked = useMemo(() => {
    const covered = coveredBy(readRules(draft.rules).rules, actions);
    return new Map([...covered].map((action) => [action, t("tokens.byRule")]));
  }, [draft.rules, actions]);
  const set: ChangeActions = useCallback(
    (changed, isGranted) => change(({ actions: known }) => ({ actions: withActions(known, changed, isGranted) })),
    [change],
  );
  return <ActionMatrix groups={groups} granted={draft.actions} locked={locked} onChange={set} />;
}

function Rules({ draft: { rules }, problems, change }: TokenPermissionsProps) {
  const { problem } = readRules(rules);
  const own = problem && rules.trim().length > 1 ? [t(`tokens.rules.${problem}`)] : [];
  return (
    <Field label={t("tokens.rules")} hint={t("tokens.rules.hint")} problems={[...own, ...problems]}>
      {(ids) => (
        <TextArea
          {...tiedTo(ids)}
          className={styles.code}
          spellCheck={false}
          dir="ltr"
          placeholder={EXAMPLE}
          value={rules}
          onChange={({ target }) => change({ rules: target.value })}
        />
      )}
    </Field>
  );
}

const EXAMPLE = '[{ "action": "api::article.article.find", "where": { "isPublic": true }, "fields": ["title"] }]';
