import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { TokenView } from "../../../../src/wire/tokens.js";
import { useSubmit } from "../../../app/use-submit.js";
import { t } from "../../../messages/text.js";
import { sayDone } from "../../../ui/toast.js";
import { BackLink } from "../frame/back-link.js";
import { refusalOf } from "../frame/refusal.js";
import { SaveBar } from "../frame/save-bar.js";
import styles from "../frame/settings.module.css";
import { Loaded, SettingsScreen } from "../frame/settings-screen.js";
import { useDraft } from "../frame/use-draft.js";
import { draftOf, NEW_TOKEN, readRules, type TokenDraft, valuesOf } from "./token-draft.js";
import { TokenForm } from "./token-form.js";
import { TokenMenu } from "./token-menu.js";
import { TokenKey } from "./token-questions.js";
import { TOKENS_ACTION, useGrantable, useToken, useTokenWrites } from "./token-requests.js";

const route = getRouteApi("/settings/tokens/$id");
const FIELDS = ["name", "description", "permissions", "expiresAt"];

/** One token, or a new one. */
export function TokenScreen() {
  const { id } = route.useParams();
  return id === "new" ? <TokenEditor key="new" first={NEW_TOKEN} /> : <KnownToken key={id} id={id} />;
}

function KnownToken({ id }: { readonly id: string }) {
  const token = useToken(id);
  const grantable = useGrantable();
  const known = useMemo(() => new Set(grantable.data?.data.map(({ action }) => action)), [grantable.data]);
  const both = { ...token, data: grantable.data && token.data, error: token.error ?? grantable.error };
  return (
    <Loaded of={both} action={TOKENS_ACTION}>
      {({ data }) => <TokenEditor token={data} first={draftOf(data, known)} />}
    </Loaded>
  );
}

interface TokenEditorProps {
  readonly first: TokenDraft;
  readonly token?: TokenView;
}

function TokenEditor({ first, token }: TokenEditorProps) {
  const [base, setBase] = useState(first);
  const [draft, change] = useDraft(first);
  const [issued, setIssued] = useState<string>();
  const { create, update } = useTokenWrites();
  const navigate = useNavigate();
  const leave = () => navigate({ to: "/settings/tokens", ignoreBlocker: true });
  const save = useSubmit(async () => {
    const values = valuesOf(draft, Date.now(), token?.expiresAt);
    if (token) {
      await update(token.documentId, values);
      sayDone(t("tokens.saved", { name: values.name }));
    } else setIssued((await create(values)).data.accessKey);
    setBase(draft);
  });
  const refusal = refusalOf(save.error, FIELDS);
  const isBroken = readRules(draft.rules).problem !== undefined;
  return (
    <SettingsScreen
      title={token ? base.name : t("tokens.new")}
      back={<BackLink to="/settings/tokens">{t("tokens.title")}</BackLink>}
      actions={token && <TokenMenu token={token} onGone={leave} />}
    >
      {refusal.general && (
        <p role="alert" className={styles.wrong}>
          {refusal.general}
        </p>
      )}
      <TokenForm {...{ draft, refusal, change }} />
      <SaveBar
        isChanged={draft !== base && issued === undefined}
        isBusy={save.isBusy}
        isBroken={isBroken}
        label={token ? t("action.save") : t("tokens.create")}
        onSave={save.submit}
      />
      {issued !== undefined && <TokenKey name={draft.name} accessKey={issued} onClose={() => void leave()} />}
    </SettingsScreen>
  );
}
