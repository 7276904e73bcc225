import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { NewReleaseAction, ReleaseView } from "../../../src/wire/plans.js";
import { problemsAt } from "../../app/problems.js";
import { useSubmit } from "../../app/use-submit.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { Banner, messageOf } from "../../ui/state.js";
import { DocumentPicker } from "./document-picker.js";
import { createRelease, PLANS_KEY } from "./plans-api.js";

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
  const { error, isBusy, submit } = useSubmit(async () => {
    setAsked(true);
    if (name.trim() === "" || actions.length === 0) return;
    const release = await createRelease(name.trim(), actions);
    await queries.invalidateQueries({ queryKey: [PLANS_KEY] });
    onMade(release);
  });
  const problems = [
    ...(isAsked && name.trim() === "" ? [t("release.name.missing")] : []),
    ...problemsAt(error, "name"),
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
          <Button look="primary" isBusy={isBusy} onClick={() => void submit()}>
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
