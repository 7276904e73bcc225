import { useQueryClient } from "@tanstack/react-query";
import type { ApiError } from "../../app/api.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { messageOf } from "../../ui/state.js";
import { sayWrong } from "../../ui/toast.js";
import styles from "./builder.module.css";
import { changeDraft } from "./draft-store.js";
import { readBuilder, useDraft } from "./use-builder.js";

interface StaleProps {
  readonly error: ApiError;
  readonly onDone: () => void;
}

/** Files that somebody else has changed since the draft was begun: theirs, or what is drafted in their place. */
export function StalePlan({ error, onDone }: StaleProps) {
  const { draft } = useDraft();
  const queries = useQueryClient();
  const files = error.details["files"] as readonly string[] | undefined;
  const rebase = async (isMine: boolean) => {
    const { shapes } = await queries.fetchQuery({ queryKey: ["builder"], queryFn: readBuilder, staleTime: 0 });
    const bases = new Map(shapes.map(({ uid, base }) => [uid, base]));
    const changes = Object.entries(draft.changes).flatMap(([uid, change]) => {
      const base = bases.get(uid) ?? null;
      if (base === change.base) return [[uid, change] as const];
      return isMine ? [[uid, { ...change, base }] as const] : [];
    });
    changeDraft({ changes: Object.fromEntries(changes) });
    onDone();
  };
  const settle = (isMine: boolean) => void rebase(isMine).catch((reason: unknown) => sayWrong(messageOf(reason)));
  return (
    <div className={styles.stack} role="alert">
      <p>{messageOf(error)}</p>
      <p className={styles.soft}>{t(files?.length ? "builder.stale.files" : "builder.stale.model")}</p>
      <div className={styles.buttons}>
        {files?.length ? (
          <>
            <Button onClick={() => settle(false)}>{t("builder.stale.theirs")}</Button>
            <Button look="danger" onClick={() => settle(true)}>
              {t("builder.stale.mine")}
            </Button>
          </>
        ) : (
          <Button onClick={() => settle(true)}>{t("builder.stale.again")}</Button>
        )}
      </div>
    </div>
  );
}
