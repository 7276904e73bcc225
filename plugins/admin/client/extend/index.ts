/** What extensions of the page import: everything here follows semantic versions, and nothing else is public. */
import type { AdminExtension } from "./extension.js";

export type {
  ActionTarget,
  ActionTools,
  AdminExtension,
  CellProps,
  DocumentRef,
  FieldProps,
  Lazy,
  PanelProps,
  SlotName,
  Text,
} from "./extension.js";
export { api as request } from "../app/api.js";
export { mayDo, useSession } from "../app/session.js";
export { useForm, useProblems, useValue } from "../form/form-context.js";
export { textOf } from "../app/extensions.js";
export { language } from "../messages/text.js";
export { Button, IconButton } from "../ui/button.js";
export { Dialog } from "../ui/dialog.js";
export { Field, Select, TextArea, TextInput, tiedTo } from "../ui/field.js";
export { Icon } from "../ui/icon.js";
export { Menu, PopoverButton } from "../ui/menu.js";
export { Banner, Bone, Empty, Failed, StateBadge } from "../ui/state.js";
export { sayDone, sayWrong } from "../ui/toast.js";

/** Checks by its type what a module adds to the page; it is the module's default export. */
export const defineAdminExtension = (extension: AdminExtension): AdminExtension => extension;
