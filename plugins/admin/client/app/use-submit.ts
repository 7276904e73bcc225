import { type FormEvent, useState } from "react";

/** A form that sends something: whether it is at it, and what was wrong the last time. */
export function useSubmit(send: () => Promise<unknown>) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await send();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, submit, fail: setError, forget: () => setError(undefined) };
}
