import { ICON_PATHS, type IconName } from "./icon-paths.js";

interface IconProps {
  readonly name: IconName;
  /** In rem. */
  readonly size?: number;
}

/** A picture beside a text; it has no name of its own, so a button of an icon alone needs a label. */
export function Icon({ name, size = 1.125 }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      width={`${size}rem`}
      height={`${size}rem`}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: "none" }}
    >
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}

/** Whether there is an icon of a name, such as one of a schema file. */
export const isIconName = (name: string | null): name is IconName => name !== null && Object.hasOwn(ICON_PATHS, name);
