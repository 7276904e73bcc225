import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import styles from "./button.module.css";
import { classNames } from "./class-names.js";
import { Icon } from "./icon.js";
import type { IconName } from "./icon-paths.js";

/** How much a button stands out: one `primary` on a screen. */
export type ButtonLook = "primary" | "plain" | "quiet" | "danger";

interface Look {
  readonly look?: ButtonLook;
  readonly isSmall?: boolean;
  readonly isWide?: boolean;
  readonly icon?: IconName | undefined;
}

interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> {
  readonly children: ReactNode;
  /** Does nothing for now, and keeps the focus: a disabled button loses it. */
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** The classes of a button, for links that look like one. */
export const buttonClass = ({ look = "plain", isSmall, isWide }: Look): string =>
  classNames(styles.button, styles[look], isSmall && styles.small, isWide && styles.wide);

/** A button with a text. */
export function Button({ look = "plain", isSmall = false, isWide = false, icon, children, ...props }: ButtonProps) {
  const { isBusy = false, ...rest } = props;
  const className = classNames(buttonClass({ look, isSmall, isWide }), rest.className);
  const busy = isBusy ? { "aria-disabled": true, onClick: undefined } : {};
  return (
    <button type="button" {...rest} {...busy} className={className}>
      {icon && <Icon name={icon} size={isSmall ? 1 : 1.125} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children" | "icon" | "isBusy"> {
  /** What a screen reader says, and a tooltip shows. */
  readonly label: string;
  readonly icon: IconName;
}

/** The classes of a button of an icon alone, for links that look like one. */
export const iconLinkClass = (look: Look): string => classNames(buttonClass(look), styles.iconOnly);

/** A button of an icon alone. */
export function IconButton({ label, icon, look = "quiet", isSmall = false, ...rest }: IconButtonProps) {
  const className = classNames(buttonClass({ look, isSmall }), styles.iconOnly, rest.className);
  return (
    <button type="button" title={label} aria-label={label} {...rest} className={className}>
      <Icon name={icon} size={isSmall ? 1 : 1.125} />
    </button>
  );
}
