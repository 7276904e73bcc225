/** What extensions of the page import: everything here follows semantic versions, and nothing else is public. */
import type { AdminExtension } from "./extension.js";

export type {
  ActionTarget,
  ActionTools,
  AdminExtension,
  CellProps,
  CommandTools,
  DocumentRef,
  ExtensionField,
  FieldProps,
  FilterProps,
  Lazy,
  PanelProps,
  SlotName,
  Text,
  Texts,
} from "./extension.js";
export { api as request } from "../app/api.js";
export type { FieldHandle } from "./hooks.js";
export { useDocument, useField, useNavigate, usePermission } from "./hooks.js";
export { useSession } from "../app/session.js";
export { textOf } from "../app/extensions.js";
export { t } from "../messages/extension-texts.js";
export { language } from "../messages/text.js";
export { Button, IconButton } from "../ui/button.js";
export { Dialog } from "../ui/dialog.js";
export { Field, Select, TextArea, TextInput, tiedTo } from "../ui/field.js";
export { Icon } from "../ui/icon.js";
export { Menu, PopoverButton } from "../ui/menu.js";
export { Banner, Bone, Empty, Failed, messageOf, StateBadge } from "../ui/state.js";
export { sayDone, sayWrong } from "../ui/toast.js";

/**
 * Version of what is exported here, by semantic versions of its own: `AdminExtension.api` is its first number. What was there
 * in one version works in all later ones with the same first number.
 */
export const version = "1.0.0";

/** Checks by its type what a module adds to the page; it is the module's default export. */
export const defineAdminExtension = (extension: AdminExtension): AdminExtension => extension;
