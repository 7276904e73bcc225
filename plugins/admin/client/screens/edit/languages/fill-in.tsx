import { useEffect, useRef } from "react";
import { useSession } from "../../../app/session.js";
import type { FormPlace } from "../../../form/form-context.js";
import type { OpenDocument } from "../open-document.js";
import { FillInDialog } from "./fill-in-dialog.js";
import { useLocaleStates } from "./locale-states.js";

interface FillInProps {
  readonly opened: OpenDocument;
  readonly form: FormPlace;
  /** Whether somebody asked for it. */
  readonly isOpen: boolean;
  /** The language that stands beside the form: it is taken from first. */
  readonly beside: string | undefined;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Fills a form in from another language. A language that is missing begins with that. */
export default function FillIn({ opened, form, isOpen, beside, setOpen }: FillInProps) {
  const { locales } = useSession();
  const states = useLocaleStates(opened);
  const isOffered = useRef(false);
  const sources = locales.map(({ code }) => code).filter((code) => code !== form.locale && states.has(code));
  const source = beside !== undefined && sources.includes(beside) ? beside : sources[0];
  const isEmpty = opened.isNew && !form.isReadOnly && form.store.changedPaths.size === 0;
  useEffect(() => {
    if (isOffered.current || source === undefined) return;
    isOffered.current = true;
    if (isEmpty) setOpen(true);
  }, [source, isEmpty, setOpen]);
  if (!isOpen || source === undefined) return null;
  return <FillInDialog {...{ opened, form }} locale={source} onClose={() => setOpen(false)} />;
}
