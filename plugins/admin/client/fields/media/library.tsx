import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FileView } from "../../../src/wire/files.js";
import { useRested } from "../../ui/use-rested.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { TextInput } from "../../ui/field.js";
import { Empty, Failed } from "../../ui/state.js";
import { Preview } from "./file-tile.js";
import { findFiles } from "./files-api.js";
import styles from "./media.module.css";

const REST = 250;

interface LibraryProps {
  readonly types: readonly string[];
  readonly isMultiple: boolean;
  readonly onPick: (files: readonly FileView[]) => void;
  readonly onClose: () => void;
}

/** Chooses files that are there already. */
export function Library({ types, isMultiple, onPick, onClose }: LibraryProps) {
  const [typed, setTyped] = useState("");
  const [picked, setPicked] = useState<readonly FileView[]>([]);
  const text = useRested(typed, REST);
  const pages = useInfiniteQuery({
    queryKey: ["files", text, types],
    queryFn: ({ pageParam, signal }) => findFiles(text, types, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.pagination.nextCursor,
  });
  const files = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const toggle = (file: FileView) => {
    const rest = picked.filter(({ id }) => id !== file.id);
    if (rest.length < picked.length) setPicked(rest);
    else setPicked(isMultiple ? [...picked, file] : [file]);
  };
  return (
    <Dialog
      isOpen
      shape="drawer"
      title={t("media.library")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" disabled={picked.length === 0} onClick={() => onPick(picked)}>
            {t("media.take", { count: picked.length })}
          </Button>
        </>
      }
    >
      <TextInput
        type="search"
        autoFocus
        aria-label={t("media.search")}
        placeholder={t("media.search")}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {pages.error && <Failed error={pages.error} retry={() => void pages.refetch()} />}
      {pages.isSuccess && files.length === 0 && <Empty icon="images" title={t("media.empty")} />}
      <div className={styles.library}>
        {files.map((file) => (
          <button
            key={file.id}
            type="button"
            className={styles.choice}
            aria-pressed={picked.some(({ id }) => id === file.id)}
            onClick={() => toggle(file)}
          >
            <Preview file={file} />
            <span className={styles.name}>{file.name}</span>
          </button>
        ))}
      </div>
      {pages.hasNextPage && (
        <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {t("list.more")}
        </Button>
      )}
    </Dialog>
  );
}
