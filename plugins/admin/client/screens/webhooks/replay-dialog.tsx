import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Field, Select, tiedTo } from "../../ui/field.js";
import { Banner, messageOf } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import planStyles from "../plans/plans.module.css";
import { type ReplayRequest, replayDeliveries, WEBHOOKS_KEY } from "./webhooks-api.js";

/** How far back, as the server takes it: deliveries are kept for days. */
const SPANS = ["1h", "12h", "1d", "3d", "7d"] as const;

/** Sends all of a time again that failed, or all that arrived. */
export function ReplayDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [since, setSince] = useState<(typeof SPANS)[number]>("12h");
  const [state, setState] = useState<ReplayRequest["state"]>("dead");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const replay = async () => {
    setBusy(true);
    try {
      sayDone(t("delivery.replayed", { count: await replayDeliveries(id, { since, state }) }));
      await queries.invalidateQueries({ queryKey: [WEBHOOKS_KEY] });
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      isOpen
      title={t("delivery.replay")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void replay()}>
            {t("delivery.replay")}
          </Button>
        </>
      }
    >
      <Field label={t("delivery.since")}>
        {(ids) => (
          <Select
            {...tiedTo(ids)}
            value={since}
            onChange={({ target }) => setSince(SPANS.find((span) => span === target.value) ?? "12h")}
          >
            {SPANS.map((span) => (
              <option key={span} value={span}>
                {span.endsWith("h")
                  ? t("delivery.hours", { count: Number.parseInt(span, 10) })
                  : t("delivery.days", { count: Number.parseInt(span, 10) })}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <fieldset>
        <legend className={planStyles.bold}>{t("delivery.which")}</legend>
        {(["dead", "delivered"] as const).map((each) => (
          <label key={each} className={planStyles.choice}>
            <input type="radio" name="replay-state" checked={state === each} onChange={() => setState(each)} />
            {t(`delivery.which.${each}`)}
          </label>
        ))}
      </fieldset>
      {state === "delivered" && <Banner kind="warn">{t("delivery.twice")}</Banner>}
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
    </Dialog>
  );
}
