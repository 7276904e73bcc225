import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ReleaseProblem, ReleaseView } from "../../../src/wire/plans.js";
import { ApiError } from "../../app/api.js";
import { errorsOf, problemsOf } from "../../app/problems.js";
import { useSubmit } from "../../app/use-submit.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Banner, messageOf } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import { MomentField } from "./moment-field.js";
import { inputOf, momentOf } from "./moment-input.js";
import styles from "./plans.module.css";
import { PLANS_KEY, scheduleRelease } from "./plans-api.js";
import { Refusals } from "./release-runs.js";
import { ZoneLine } from "./zone-line.js";

interface ReleaseTimeProps {
  readonly release: ReleaseView;
  readonly zone: string;
  readonly onZone: (zone: string) => void;
  readonly onClose: () => void;
}

/** Says when a release runs. While documents of it have problems it is refused, with all of them. */
export function ReleaseTime({ release, zone, onZone, onClose }: ReleaseTimeProps) {
  const queries = useQueryClient();
  // It is read again behind the dialog, which is about what was there when it was opened.
  const [seen] = useState(release);
  const [value, setValue] = useState(() => inputOf(release.state === "scheduled" ? release.at : null, zone));
  const [isAsked, setAsked] = useState(false);
  const moment = momentOf(value, zone);
  const { error, isBusy, submit } = useSubmit(async () => {
    setAsked(true);
    if (!moment) return;
    // What is refused may have changed meanwhile, too.
    await scheduleRelease(seen, moment).finally(() => queries.invalidateQueries({ queryKey: [PLANS_KEY] }));
    sayDone(t("plan.saved"));
    onClose();
  });
  const isRefused = error instanceof ApiError && error.code === "PLINTH_RELEASE_REFUSED";
  const problems = isRefused ? errorsOf<ReleaseProblem>(error) : [];
  const own = isRefused ? [] : problemsOf(error);
  return (
    <Dialog
      isOpen
      title={t("release.setTime")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void submit()}>
            {t("plan.save")}
          </Button>
        </>
      }
    >
      <ZoneLine
        zone={zone}
        onChange={(next) => {
          if (moment) setValue(inputOf(moment, next));
          onZone(next);
        }}
      />
      <MomentField
        label={t("release.time")}
        zone={zone}
        value={value}
        problems={[
          ...(isAsked && moment === null ? [t("release.time.missing")] : []),
          ...own.map(({ message }) => message),
        ]}
        onChange={setValue}
      />
      <p className={styles.soft}>{t("release.meanwhile")}</p>
      {problems.length > 0 && (
        <div role="alert" className={styles.problems}>
          <p>{t("release.time.refused")}</p>
          <Refusals problems={problems} />
        </div>
      )}
      {error !== undefined && !isRefused && own.length === 0 && <Banner kind="wrong">{messageOf(error)}</Banner>}
    </Dialog>
  );
}
