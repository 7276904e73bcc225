import { useId } from "react";
import type { TokenKind } from "../../../../src/wire/tokens.js";
import { t } from "../../../messages/text.js";
import { Field, Group, Select, TextArea, TextInput, tiedTo } from "../../../ui/field.js";
import type { Refusal } from "../frame/refusal.js";
import styles from "../frame/settings.module.css";
import { Card } from "../frame/settings-screen.js";
import type { ChangeDraft } from "../frame/use-draft.js";
import { LIFE_SPANS, type LifeSpan, type TokenDraft } from "./token-draft.js";
import { TokenPermissions } from "./token-permissions.js";

const KINDS: readonly TokenKind[] = ["read-only", "full-access", "custom", "admin"];

interface TokenFormProps {
  readonly draft: TokenDraft;
  readonly refusal: Refusal;
  readonly change: ChangeDraft<TokenDraft>;
}

/** What a token is called, what it opens, and until when. */
export function TokenForm({ draft, refusal, change }: TokenFormProps) {
  const { byField } = refusal;
  return (
    <>
      <Card title={t("tokens.card.about")}>
        <Field label={t("tokens.name")} isRequired problems={byField.get("name") ?? []}>
          {(ids) => (
            <TextInput
              {...tiedTo(ids)}
              value={draft.name}
              maxLength={200}
              onChange={({ target }) => change({ name: target.value })}
            />
          )}
        </Field>
        <Field label={t("tokens.description")} problems={byField.get("description") ?? []}>
          {(ids) => (
            <TextArea
              {...tiedTo(ids)}
              value={draft.description}
              maxLength={2000}
              onChange={({ target }) => change({ description: target.value })}
            />
          )}
        </Field>
        <LifeSpanField {...{ draft, change }} problems={byField.get("expiresAt") ?? []} />
      </Card>
      <Card title={t("tokens.card.opens")}>
        <TypeField value={draft.type} onChange={(type) => change({ type })} />
        {(draft.type === "custom" || draft.type === "admin") && (
          <TokenPermissions {...{ draft, change }} problems={byField.get("permissions") ?? []} />
        )}
      </Card>
    </>
  );
}

interface LifeSpanProps extends Omit<TokenFormProps, "refusal"> {
  readonly problems: readonly string[];
}

function LifeSpanField({ draft: { life, endsAt }, change, problems }: LifeSpanProps) {
  return (
    <div className={styles.pair}>
      <Field label={t("tokens.life")} hint={t("tokens.life.hint")}>
        {(ids) => (
          <Select {...tiedTo(ids)} value={life} onChange={({ target }) => change({ life: target.value as LifeSpan })}>
            {LIFE_SPANS.map((span) => (
              <option key={span} value={span}>
                {t(`tokens.life.${span}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {life === "date" && (
        <Field label={t("tokens.endsAt")} problems={problems}>
          {(ids) => (
            <TextInput
              {...tiedTo(ids)}
              type="datetime-local"
              value={endsAt}
              onChange={({ target }) => change({ endsAt: target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

function TypeField({ value, onChange }: { readonly value: TokenKind; readonly onChange: (kind: TokenKind) => void }) {
  const name = useId();
  return (
    <Field label={t("tokens.type")} isGroup>
      {(ids) => (
        <Group ids={ids} className={styles.choices}>
          {KINDS.map((kind) => (
            <label key={kind} className={styles.choice}>
              <input type="radio" name={name} checked={value === kind} onChange={() => onChange(kind)} />
              <span>
                {t(`tokens.type.${kind}`)}
                <span className={styles.small}> {t(`tokens.opens.${kind}`)}</span>
              </span>
            </label>
          ))}
        </Group>
      )}
    </Field>
  );
}
