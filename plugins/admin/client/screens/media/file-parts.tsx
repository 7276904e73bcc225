import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { LibraryFile } from "../../../src/wire/files.js";
import { loadPart } from "../../app/load-part.js";
import { formatBytes, formatDate, formatPixels } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { Button, buttonClass } from "../../ui/button.js";
import { Field, TextArea, TextInput, tiedTo } from "../../ui/field.js";
import { Icon } from "../../ui/icon.js";
import { Bone, Failed, useIsSlow } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import styles from "./detail.module.css";
import type { Edit } from "./edit.js";
import { canBeCut, freshUrl, isPicture } from "./file-kind.js";
import { useMay } from "./library-data.js";
import { forgetLibrary, getUses } from "./library-requests.js";
import { ReplaceButton } from "./replace-button.js";
import { NoUses, UsesOfFile } from "./use-list.js";

/** It needs the library that draws the frame. */
const CutDialog = lazy(() => loadPart(() => import("./cut-dialog.js")));

interface FilePartProps {
  readonly file: LibraryFile;
  readonly edit: Edit;
}

interface FileActionsProps extends FilePartProps {
  readonly mayUpdate: boolean;
  readonly onOpen: (file: LibraryFile) => void;
}

/** What can be done with the content of a file. */
export function FileActions({ file, mayUpdate, edit, onOpen }: FileActionsProps) {
  const queries = useQueryClient();
  const may = useMay();
  const [isCutting, setCutting] = useState(false);
  const { width, height, url } = file;
  const copy = async () => {
    await navigator.clipboard.writeText(new URL(url, location.href).href);
    sayDone(t("file.copied"));
  };
  return (
    <div className={styles.actions}>
      {mayUpdate && isPicture(file) && (
        <p id="focal-hint" className={styles.hint}>
          {t("file.focal.hint")}
          {edit.values.focalPoint && (
            <Button isSmall look="quiet" onClick={() => edit.change({ focalPoint: null })}>
              {t("file.focal.clear")}
            </Button>
          )}
        </p>
      )}
      {may.upload && canBeCut(file) && (
        <Button icon="crop" onClick={() => setCutting(true)}>
          {t("file.cut")}
        </Button>
      )}
      {mayUpdate && <ReplaceButton file={file} onError={edit.fail} onDone={() => void forgetLibrary(queries)} />}
      {url !== "" && (
        <>
          <a className={buttonClass({})} href={freshUrl(file)} target="_blank" rel="noreferrer">
            <Icon name="external-link" />
            {t("file.open")}
          </a>
          {/* Over plain http there is no clipboard. */}
          {navigator.clipboard && (
            <Button icon="link" onClick={() => void copy()}>
              {t("file.copy")}
            </Button>
          )}
        </>
      )}
      {isCutting && width !== null && height !== null && (
        <Suspense>
          <CutDialog
            file={{ ...file, width, height }}
            onClose={() => setCutting(false)}
            onDone={(made) => {
              setCutting(false);
              sayDone(t("file.cutDone", { name: made.name }));
              void forgetLibrary(queries);
              onOpen(made);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/** What is said of a file; it holds wherever the file is used. */
export function FileTexts({ file, edit, isReadOnly }: FilePartProps & { readonly isReadOnly: boolean }) {
  const { values, change } = edit;
  return (
    <>
      <Field label={t("media.name")} isRequired>
        {(ids) => (
          <TextInput
            {...tiedTo(ids)}
            readOnly={isReadOnly}
            value={values.name ?? ""}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      {isPicture(file) && (
        <Field label={t("media.alternative")} hint={t("media.alternative.hint")}>
          {(ids) => (
            <TextInput
              {...tiedTo(ids)}
              readOnly={isReadOnly}
              value={values.alternativeText ?? ""}
              onChange={({ target }) => change({ alternativeText: textOf(target.value) })}
            />
          )}
        </Field>
      )}
      <Field label={t("file.caption")} hint={t("file.caption.hint")}>
        {(ids) => (
          <TextArea
            {...tiedTo(ids)}
            rows={2}
            readOnly={isReadOnly}
            value={values.caption ?? ""}
            onChange={({ target }) => change({ caption: textOf(target.value) })}
          />
        )}
      </Field>
    </>
  );
}

/** No text is none: it is stored so. */
const textOf = (typed: string): string | null => (typed === "" ? null : typed);

/** What nobody types of a file. */
export function FileFacts({
  file: { mime, size, width, height, folder, createdAt, createdBy },
}: Pick<FilePartProps, "file">) {
  const facts = [
    [t("file.kind"), mime],
    [t("file.size"), formatBytes(size)],
    [t("file.pixels"), width === null || height === null ? undefined : formatPixels(width, height)],
    [t("file.folder"), folder?.name ?? t("library.title")],
    [t("file.uploaded"), createdAt && formatDate(new Date(createdAt), { dateStyle: "medium", timeStyle: "short" })],
    [t("file.by"), createdBy?.name],
  ] as const;
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** The documents that hold a file. */
export function FileUsesSection({ documentId }: { readonly documentId: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["files", "uses", documentId],
    queryFn: ({ signal }) => getUses(documentId, signal),
  });
  const isSlow = useIsSlow(isPending);
  return (
    <section className={styles.section}>
      <h3>{t("side.uses")}</h3>
      {error && <Failed error={error} retry={() => void refetch()} />}
      {isSlow && <Bone height="2.5rem" />}
      {data && (data.data.length > 0 ? <UsesOfFile uses={data.data} /> : <NoUses />)}
    </section>
  );
}
