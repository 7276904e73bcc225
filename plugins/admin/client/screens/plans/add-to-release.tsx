import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PlannedAction, PlanPlace, ReleaseView } from "../../../src/wire/plans.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Field, Select, TextInput, tiedTo } from "../../ui/field.js";
import { Banner, messageOf } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import { ActionSelect } from "./action-select.js";
import { LONGEST_NAME } from "./new-release.js";
import { plannedActions } from "./planned-actions.js";
import { amendRelease, createRelease, listReleases, PLANS_KEY, placeBody } from "./plans-api.js";

interface AddToReleaseProps {
  /** Documents of one type, in one language. */
  readonly places: readonly PlanPlace[];
  readonly onClose: () => void;
  /** Called before it is closed. */
  readonly onDone?: () => void;
}

/** Stands for a release that is made now. */
const NEW = "new";

/** Adds documents to a release that has not been run, or makes one of them. */
export default function AddToRelease({ places, onClose, onDone }: AddToReleaseProps) {
  const session = useSession();
  const open = useOpenReleases();
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState("");
  const [action, setAction] = useState<PlannedAction>();
  const actions = plannedActions(session, places[0]?.type ?? "");
  const release = chosen ?? String(open.data?.[0]?.id ?? NEW);
  const isNameless = release === NEW && name.trim() === "";
  const [isAsked, setAsked] = useState(false);
  const { isBusy, error, add } = useAdd(onClose, onDone);
  const run = () => {
    setAsked(true);
    if (isNameless) return;
    const added = places.map((place) => ({ ...placeBody(place), action: action ?? actions[0] ?? "publish" }));
    void add(
      release === NEW ? () => createRelease(name.trim(), added) : () => amendRelease(Number(release), { add: added }),
    );
  };
  return (
    <Dialog
      isOpen
      title={t("release.add", { count: places.length })}
      onClose={isBusy ? undefined : onClose}
      footer={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {t("action.cancel")}
          </Button>
          <Button look="primary" isBusy={isBusy || open.isPending} onClick={run}>
            {t("release.add.do")}
          </Button>
        </>
      }
    >
      <Field label={t("release.one")}>
        {(ids) => (
          <Select {...tiedTo(ids)} value={release} onChange={({ target }) => setChosen(target.value)}>
            {(open.data ?? []).map(({ id, name: known }) => (
              <option key={id} value={id}>
                {known}
              </option>
            ))}
            <option value={NEW}>{t("release.add.new")}</option>
          </Select>
        )}
      </Field>
      {release === NEW && (
        <Field label={t("release.name")} isRequired problems={isAsked && isNameless ? [t("release.name.missing")] : []}>
          {(ids) => (
            <TextInput
              {...tiedTo(ids)}
              maxLength={LONGEST_NAME}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
      )}
      <ActionSelect
        label={t("release.action")}
        value={action ?? actions[0] ?? "publish"}
        actions={actions}
        onChange={setAction}
      />
      {open.error && <Banner kind="wrong">{messageOf(open.error)}</Banner>}
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
    </Dialog>
  );
}

/** Those whose documents can be changed: what has a time is cancelled first. */
function useOpenReleases() {
  return useQuery({
    queryKey: [PLANS_KEY, "open-releases"],
    queryFn: async ({ signal }): Promise<readonly ReleaseView[]> => [
      ...(await listReleases({ state: "open" }, signal)),
      ...(await listReleases({ state: "failed" }, signal)),
    ],
  });
}

function useAdd(onClose: () => void, onDone: (() => void) | undefined) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const add = async (send: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await send();
      await queries.invalidateQueries({ queryKey: [PLANS_KEY] });
      sayDone(t("release.added"));
      onDone?.();
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return { isBusy, error, add };
}
