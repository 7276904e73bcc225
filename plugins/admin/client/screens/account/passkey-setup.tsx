import { useState } from "react";
import type { FactorAdded, PasskeyOptions } from "../../../src/wire/second-factor.js";
import { api } from "../../app/api.js";
import type { Confirming } from "../../app/confirmed.js";
import { isCancelled, makePasskey } from "../../app/passkeys.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Banner, messageOf } from "../../ui/state.js";
import { TextLine } from "../../ui/text-line.js";
import { useSubmit } from "../../app/use-submit.js";
import { deviceName } from "./device-name.js";

interface PasskeySetupProps {
  readonly run: Confirming["run"];
  readonly onAdded: (added: FactorAdded) => void;
}

/** Adds a passkey, with a name by which it is known among several. */
export function PasskeySetup({ run, onAdded }: PasskeySetupProps) {
  const [name, setName] = useState(() => deviceName(navigator.userAgent) ?? t("passkey.one"));
  const { error, isBusy, submit } = useSubmit(async () => {
    const asked = await run(() =>
      api<PasskeyOptions & { readonly ticket: string }>("/account/passkeys/options", { method: "POST" }),
    );
    if (!asked) return;
    const response = await makePasskey(asked.options);
    const body = { ticket: asked.ticket, name, response };
    onAdded(await api<FactorAdded>("/account/passkeys", { method: "POST", body }));
  });
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t("passkey.text")}</p>
      {error !== undefined && (
        <Banner kind="wrong">{isCancelled(error) ? t("passkey.cancelled") : messageOf(error)}</Banner>
      )}
      <TextLine
        label={t("passkey.name")}
        name="passkey"
        maxLength={100}
        hint={t("passkey.name.hint")}
        value={name}
        onChange={setName}
      />
      <Button look="primary" type="submit" icon="key" isBusy={isBusy}>
        {t("passkey.add")}
      </Button>
    </form>
  );
}
