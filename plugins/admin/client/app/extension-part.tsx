import { type ComponentType, lazy, Suspense } from "react";
import type { Lazy } from "../extend/extension.js";
import { t } from "../messages/text.js";
import { Boundary } from "../ui/boundary.js";
import { Banner, messageOf } from "../ui/state.js";

const made = new WeakMap<object, ComponentType<never>>();

/** The same component each time: a new one would lose what it keeps. */
function componentOf<Props extends object>(load: Lazy<Props>): ComponentType<Props> {
  const known = made.get(load) as ComponentType<Props> | undefined;
  if (known) return known;
  const component = lazy(load) as unknown as ComponentType<Props>;
  made.set(load, component as ComponentType<never>);
  return component;
}

interface ExtensionPartProps<Props extends object> {
  /** Name of the extension. */
  readonly owner: string;
  readonly part: Lazy<Props>;
  readonly props: Props;
}

/** Shows a part of an extension, loaded now. What goes wrong in it stays in its place. */
export function ExtensionPart<Props extends object>({ owner, part, props }: ExtensionPartProps<Props>) {
  const Part = componentOf(part);
  const broken = (error: unknown) => (
    <Banner kind="wrong">{t("extension.broken", { name: owner, message: messageOf(error) })}</Banner>
  );
  return (
    <Boundary fallback={broken}>
      <Suspense>
        <Part {...props} />
      </Suspense>
    </Boundary>
  );
}
