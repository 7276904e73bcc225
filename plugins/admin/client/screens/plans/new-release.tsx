import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { NewReleaseAction, ReleaseView } from "../../../src/wire/plans.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { Banner, messageOf } from "../../ui/state.js";
import { DocumentPicker } from "./document-picker.js";
import { createRelease, errorsOf, PLANS_KEY } from "./plans-api.js";

interface NewReleaseProps {
  readonly onClose: () => void;
  readonly onMade: (release: ReleaseView) => void;
}

/** A longest name, as the server takes it. */
export const LONGEST_NAME = 200;

/** Makes a release: its name, and what is in it first. */
export function NewRelease({ onClose, onMade }: NewReleaseProps) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [actions, setActions] = useState<readonly NewReleaseAction[]>([]);
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const make = async () => {
    setAsked(true);
    if (name.trim() === "" || actions.length === 0) return;
    setBusy(true);
    try {
      const release = await createRelease(name.trim(), actions);
      await queries.invalidateQueries({ queryKey: [PLANS_KEY] });
      onMade(release);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const problems = [
    ...(isAsked && name.trim() === "" ? [t("release.name.missing")] : []),
    ...errorsOf<{ readonly path: string; readonly message: string }>(error)
      .filter(({ path }) => path === "name")
      .map(({ message }) => message),
  ];
  return (
    <Dialog
      isOpen
      shape="wide"
      title={t("release.new")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void make()}>
            {t("release.make")}
          </Button>
        </>
      }
    >
      <Field label={t("release.name")} isRequired problems={problems}>
        {(ids) => (
          <TextInput
            {...tiedTo(ids)}
            maxLength={LONGEST_NAME}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <DocumentPicker chosen={actions} onChange={setActions} />
      {isAsked && actions.length === 0 && <Banner kind="warn">{t("release.documents.missing")}</Banner>}
      {error !== undefined && problems.length === 0 && <Banner kind="wrong">{messageOf(error)}</Banner>}
    </Dialog>
  );
}
