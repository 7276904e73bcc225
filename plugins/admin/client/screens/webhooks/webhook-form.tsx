import { useNavigate } from "@tanstack/react-router";
import type { WebhookOptions, WebhookView } from "../../../src/wire/operations.js";
import { Leaving } from "../../app/leaving.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Field, Group, Select, TextInput, tiedTo } from "../../ui/field.js";
import { Banner, messageOf } from "../../ui/state.js";
import planStyles from "../plans/plans.module.css";
import { EventBoxes } from "./event-boxes.js";
import type { FormPartProps } from "./form-part.js";
import { HeaderRows } from "./header-rows.js";
import { useWebhookForm } from "./use-webhook-form.js";
import { SecretOnce } from "./secrets.js";
import styles from "./webhooks.module.css";
import { fieldProblems, type WebhookValues } from "./webhooks-api.js";

interface WebhookFormProps {
  /** Undefined: a new one. */
  readonly webhook: WebhookView | undefined;
  readonly options: WebhookOptions;
}

/** By their own names. */
const FORMATS = [
  ["standard", "Standard Webhooks"],
  ["strapi", "Strapi"],
] as const;

/** What a webhook gets and how. One of the configuration is shown and cannot be changed. */
export function WebhookForm({ webhook, options }: WebhookFormProps) {
  const isLocked = webhook?.source === "config";
  const { values, setValues, isChanged, error, isBusy, submit, ...after } = useWebhookForm(webhook);
  const { made, newSecret, forgetSecret } = after;
  const problems = fieldProblems(error);
  const of = (name: string): readonly string[] => problems.get(name) ?? [];
  const set = (changes: Partial<WebhookValues>) => setValues((known) => ({ ...known, ...changes }));
  const navigate = useNavigate();
  const secretIsKept = () => {
    forgetSecret();
    if (made) void navigate({ to: "/settings/webhooks/$id", params: { id: made.documentId } });
  };
  const shared = { values, set, of, isLocked, options };
  return (
    <form className={planStyles.card} aria-label={t("webhook.form")} noValidate onSubmit={submit}>
      {error !== undefined && problems.size === 0 && <Banner kind="wrong">{messageOf(error)}</Banner>}
      {problems.size > 0 && <Banner kind="wrong">{t("webhook.problems", { count: problems.size })}</Banner>}
      <Names {...shared} />
      <EventBoxes {...shared} />
      <Body {...shared} />
      <HeaderRows
        names={webhook?.headers ?? []}
        values={values.headers}
        problems={of("headers")}
        isLocked={isLocked}
        onChange={(headers) => setValues((known) => (headers ? { ...known, headers } : withoutHeaders(known)))}
      />
      {!isLocked && (
        <div>
          <Button type="submit" look="primary" isBusy={isBusy || (webhook !== undefined && !isChanged)}>
            {t(webhook ? "action.save" : "webhook.make")}
          </Button>
        </div>
      )}
      <Leaving isAsked={isChanged} isBusy={isBusy} />
      {newSecret !== undefined && <SecretOnce secret={newSecret} onClose={secretIsKept} />}
    </form>
  );
}

const withoutHeaders = ({ headers: _headers, ...values }: WebhookValues): WebhookValues => values;

function Names({ values, set, of, isLocked, options }: FormPartProps) {
  return (
    <div className={styles.pair}>
      <Field label={t("webhook.name")} isRequired problems={of("name")}>
        {(ids) => (
          <TextInput
            {...tiedTo(ids)}
            maxLength={200}
            readOnly={isLocked}
            value={values.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        )}
      </Field>
      <Field
        label={t("webhook.url")}
        isRequired
        hint={t(options.http ? "webhook.url.http" : "webhook.url.hint")}
        problems={of("url")}
      >
        {(ids) => (
          <TextInput
            {...tiedTo(ids)}
            type="url"
            maxLength={2_000}
            readOnly={isLocked}
            value={values.url}
            onChange={({ target }) => set({ url: target.value })}
          />
        )}
      </Field>
    </div>
  );
}

/** What is in a body, and when it is sent. */
function Body({ values, set, of, isLocked }: FormPartProps) {
  const box = (name: "content" | "coalesce" | "enabled") => (
    <label key={name} className={planStyles.choice}>
      <input
        type="checkbox"
        disabled={isLocked}
        checked={values[name] || (name === "content" && values.format === "strapi")}
        onChange={({ target }) => set({ [name]: target.checked })}
      />
      {t(`webhook.${name}`)}
    </label>
  );
  return (
    <div className={styles.pair}>
      <Field label={t("webhook.format")} hint={t(`webhook.format.${values.format}.hint`)} problems={of("format")}>
        {(ids) => (
          <Select
            {...tiedTo(ids)}
            disabled={isLocked}
            value={values.format}
            onChange={({ target }) => set({ format: target.value as WebhookValues["format"] })}
          >
            {FORMATS.map(([format, name]) => (
              <option key={format} value={format}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t("webhook.delivery")} isGroup problems={[...of("content"), ...of("coalesce"), ...of("enabled")]}>
        {(ids) => <Group ids={ids}>{(["content", "coalesce", "enabled"] as const).map(box)}</Group>}
      </Field>
    </div>
  );
}
