import type { FileView } from "../../../src/wire/files.js";
import { useForm, useValue } from "../../form/form-context.js";
import { t } from "../../messages/text.js";
import { announce } from "../../ui/announce.js";
import { focusAfterRemoval, focusRow, isFocusElsewhere, keepFocus } from "../../ui/move-focus.js";
import { idOf } from "../field-id.js";

/** What is done with the files of a field. Each act says what it did, and leaves the focus where one goes on. */
export interface Files {
  readonly files: readonly FileView[];
  add(more: readonly FileView[]): void;
  /** Another text of a file that is there. */
  change(file: FileView): void;
  move(index: number, by: number): void;
  remove(index: number): void;
}

/** The files at a path. */
export function useFiles(path: string, isMultiple: boolean): Files {
  const { store } = useForm();
  const [value, set] = useValue<unknown>(path);
  const files = filesOf(value);
  const put = (next: readonly FileView[]) => set(isMultiple ? next : (next.at(-1) ?? null));
  return {
    files,
    add: (more) => {
      // As it is when an upload ends: files may have come and gone meanwhile.
      const before = isMultiple ? filesOf(store.get(path)) : [];
      put([...before, ...more]);
      const name = more.map((file) => file.name).join(", ");
      announce(t("items.added", { name, place: before.length + 1, count: before.length + more.length }));
      if (!isFocusElsewhere(idOf(path))) focusRow(idOf(path), before.length);
    },
    change: (file) => put(files.map((other) => (other.id === file.id ? file : other))),
    move: (index, by) => {
      const place = Math.max(0, Math.min(files.length - 1, index + by));
      const next = [...files];
      next.splice(place, 0, ...next.splice(index, 1));
      keepFocus();
      put(next);
      announce(t("items.moved", { place: place + 1, count: files.length }));
    },
    remove: (index) => {
      put(files.filter((_file, place) => place !== index));
      announce(t("items.removed", { name: files[index]?.name ?? "" }));
      focusAfterRemoval(idOf(path), index);
    },
  };
}

/** The files of a value, of one or of several. */
function filesOf(value: unknown): readonly FileView[] {
  if (Array.isArray(value)) return value as readonly FileView[];
  return value === null || value === undefined ? [] : [value as FileView];
}
