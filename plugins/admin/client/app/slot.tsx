import type { DocumentRef, SlotName } from "../extend/extension.js";
import { ExtensionPart } from "./extension-part.js";
import { useExtensions } from "./extensions.js";

interface SlotProps {
  readonly name: SlotName;
  readonly document?: DocumentRef;
}

/** What extensions put into a place of the page. */
export function Slot({ name, document }: SlotProps) {
  const { loaded } = useExtensions();
  return loaded.flatMap(({ name: owner, extension }) =>
    (extension.slots?.[name] ?? []).map(({ id, slot }) => (
      <ExtensionPart key={`${owner} ${id}`} owner={owner} part={slot} props={document ? { document } : {}} />
    )),
  );
}
