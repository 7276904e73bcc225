import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { BulkAction, BulkRequest } from "../../../src/wire/content.js";
import { api } from "../../app/api.js";
import { forgetLists } from "../../app/forget-lists.js";
import { t } from "../../messages/text.js";
import { sayDone } from "../../ui/toast.js";
import type { Titles } from "./selection.js";

/** What is done with several documents at once on this screen. */
export type ListAction = Exclude<BulkAction, "discard-draft">;

/** Documents of one type, in one language. */
export interface BulkTarget {
  readonly uid: string;
  readonly locale: string | undefined;
  readonly titles: Titles;
}

/** One action on several documents, while it runs and after. */
export interface BulkRun {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** @param data - of `set` */
  readonly run: (action: ListAction, data?: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** Runs an action on all documents of a target, or on none; it does not begin a second time while it runs. */
export function useBulk({ uid, locale, titles }: BulkTarget, onDone: () => void): BulkRun {
  const queries = useQueryClient();
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run: BulkRun["run"] = async (action, data) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setError(undefined);
    try {
      const body: BulkRequest = {
        documentIds: [...titles.keys()],
        ...(locale === undefined ? {} : { locale }),
        ...(data === undefined ? {} : { data }),
      };
      await api(`/content/${uid}/actions/${action}`, { method: "POST", body });
      sayDone(t(`bulk.done.${action}`, { count: titles.size }));
      onDone();
    } catch (failure) {
      setError(failure);
    } finally {
      isRunning.current = false;
      setBusy(false);
      await forgetLists(queries);
    }
  };
  return { isBusy, error, run };
}
