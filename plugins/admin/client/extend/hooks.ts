import { useNavigate as useRouter } from "@tanstack/react-router";
import { mayAct, useSession } from "../app/session.js";
import { useForm, useProblems, useValue } from "../form/form-context.js";
import type { DocumentRef } from "./extension.js";

/** A field of the form around: its value, what is wrong with it, and how to change it. */
export interface FieldHandle<Value> {
  readonly value: Value;
  readonly problems: readonly string[];
  readonly isReadOnly: boolean;
  set(value: Value): void;
}

/**
 * Another field of the form, for fields, panels and slots of the edit screen. What is set is a change like one that was typed.
 *
 * @param path - name of an attribute; of a field inside of a component, the `path` that it was given
 * @throws an Error where there is no form around
 */
export function useField<Value = unknown>(path: string): FieldHandle<Value> {
  const { isReadOnly } = useForm();
  const [value, set] = useValue<Value>(path);
  return { value, problems: useProblems(path), isReadOnly, set };
}

/** The document whose form is around. @throws an Error where there is none */
export function useDocument(): DocumentRef {
  const { uid, documentId, locale } = useForm();
  return { uid, documentId, locale: locale ?? null };
}

/**
 * Whether the role of the reader grants an action: one of the page such as `plugin::maps.edit`, or one of content such as
 * `api::article.article.update`. The server asks again: this is for what to show.
 */
export function usePermission(action: string): boolean {
  return mayAct(useSession(), action);
}

/** Goes to an address of the page, below `/admin`: `navigate("/x/maps/overview")`. */
export function useNavigate(): (path: string) => void {
  const navigate = useRouter();
  return (path) => void navigate({ to: path });
}
