import { isScalarKind, SCALAR_TRAITS, type Attribute, type Shape } from "@plinth/core/schema";

/** The attributes by which a document or a component is named where it is not shown itself. */
export interface Naming {
  /** Undefined: it has no text; a document is named by its id then. */
  readonly title: string | undefined;
  /** Tells it from others of the same title. */
  readonly subtitle: string | undefined;
  /** The first media attribute that may hold a picture. */
  readonly picture: string | undefined;
}

/** Names that say what something is called, the best first. */
const TITLES = ["title", "name", "label", "headline", "heading", "subject", "displayName", "fullName", "username"];

/** In the order in which they name something; a password is never shown. */
const TITLE_KINDS: readonly Attribute["kind"][] = ["string", "email", "uid", "text", "enumeration"];
const SUBTITLE_KINDS: readonly Attribute["kind"][] = ["uid", "email", "string"];

const known = new WeakMap<Shape, Naming>();

/** How documents of a type, or items of a component, are named: `pluginOptions.admin.title`, else a usual name, else the first short text. */
export function namingOf(shape: Shape): Naming {
  const naming = known.get(shape) ?? findNaming(shape);
  known.set(shape, naming);
  return naming;
}

function findNaming(shape: Shape): Naming {
  // What is private names nothing unless the schema file says so: it may be a secret of a plugin.
  const attributes = [...shape.attributes.values()].filter(({ isPrivate }) => !isPrivate);
  const first = (kinds: readonly Attribute["kind"][], but?: string) =>
    kinds.flatMap((kind) => attributes.filter((each) => each.kind === kind && each.name !== but))[0]?.name;
  const isTitle = (name: string) => TITLE_KINDS.includes(shape.attributes.get(name)?.kind ?? "password");
  const title = chosenTitle(shape) ?? TITLES.find(isTitle) ?? first(TITLE_KINDS);
  const picture = attributes.find(
    (each) => each.kind === "media" && (each.allowedTypes.length === 0 || each.allowedTypes.includes("images")),
  );
  return { title, subtitle: first(SUBTITLE_KINDS, title), picture: picture?.name };
}

/** What the schema file says, where that can be shown as text. */
function chosenTitle(shape: Shape & { readonly pluginOptions?: unknown }): string | undefined {
  const name = optionsOf(optionsOf(shape.pluginOptions)["admin"])["title"];
  const attribute = typeof name === "string" ? shape.attributes.get(name) : undefined;
  const isShown = attribute && isScalarKind(attribute.kind) && SCALAR_TRAITS[attribute.kind].isReadable;
  return isShown ? attribute.name : undefined;
}

/** An object of a schema file; empty for anything else. */
export function optionsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
