import {
  type ComponentType,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useSyncExternalStore,
} from "react";
import type { PersonAt } from "../../src/wire/live.js";
import type { InputProps } from "../fields/field-props.js";
import type { ItemRef } from "./shape.js";
import type { Path } from "./paths.js";
import type { FormPeople } from "./form-people.js";
import type { FormStore } from "./store.js";

/** The form that a field is in. */
export interface FormPlace {
  readonly store: FormStore;
  readonly uid: string;
  /** null: the document is new. */
  readonly documentId: string | null;
  /** The document in paths of the server, `single` of a single type; undefined: it is new. */
  readonly ownId: string | undefined;
  /** Of the content; undefined: the type has none. */
  readonly locale: string | undefined;
  readonly isReadOnly: boolean;
  /** Who else is in which field; undefined: it is not told. */
  readonly people?: FormPeople;
  /** The field of an attribute, by its kind: components have fields inside, whose kinds they do not know. */
  readonly Input: ComponentType<InputProps>;
  /** Stands around each field, where something is shown beside it. */
  readonly Frame?: ComponentType<FrameProps> | undefined;
}

/** What stands around a field is given it as its children. */
export interface FrameProps extends Pick<InputProps, "path" | "attribute"> {
  readonly children: ReactNode;
}

const FormContext = createContext<FormPlace | undefined>(undefined);

/** Gives a form to the fields inside. */
export const FormProvider = FormContext.Provider;

/** The form around a field. */
export function useForm(): FormPlace {
  const place = useContext(FormContext);
  if (!place) throw new Error("There is no form around this field.");
  return place;
}

/** Something of the form that is drawn again only when the store says that the path is another. */
function useAt<T>(path: Path, read: (store: FormStore) => T): T {
  const { store } = useForm();
  const subscribe = useCallback((listener: () => void) => store.subscribe(path, listener), [store, path]);
  return useSyncExternalStore(subscribe, () => read(store));
}

/** The value at a path, and how to change it. */
export function useValue<T>(path: Path): readonly [T, (value: T) => void] {
  const { store } = useForm();
  const value = useAt(path, () => store.get(path) as T);
  return [value, (next) => store.set(path, next)];
}

/** Items of a component, a repeatable one or a zone. */
export const useItems = (path: Path): readonly ItemRef[] => useAt(path, (store) => store.itemsAt(path));

/** What is wrong with the value at a path. */
export const useProblems = (path: Path): readonly string[] => useAt(path, (store) => store.problemsAt(path));

/** How many problems there are at or below a path. */
export const useProblemCount = (path: Path): number => useAt(path, (store) => store.problemsBelow(path));

const NOBODY: readonly PersonAt[] = [];
const never = () => () => undefined;

/** Others who are in the field at a path; of a closed card in any field below it. */
export function usePeopleAt(path: Path, isClosed = false): readonly PersonAt[] {
  const { people } = useForm();
  const subscribe = useCallback((listener: () => void) => people?.subscribe(path, listener) ?? never(), [people, path]);
  return useSyncExternalStore(subscribe, () => people?.at(path, isClosed) ?? NOBODY);
}

/** Whether something changed at or below a path. */
export const useIsChanged = (path: Path): boolean => useAt(path, (store) => store.changedBelow(path) > 0);
