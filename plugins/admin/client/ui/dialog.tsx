import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { t } from "../messages/text.js";
import { IconButton } from "./button.js";
import { classNames } from "./class-names.js";
import styles from "./overlay.module.css";

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Without it the dialog stays until an answer is given. */
  readonly onClose?: (() => void) | undefined;
  /** A drawer stands at the end of the screen, above the form that it belongs to; a screen in it needs a wide one. */
  readonly shape?: "normal" | "wide" | "drawer" | "wide-drawer";
  /** Whether the focus may go elsewhere only by an answer. */
  readonly isAlert?: boolean;
  /** Buttons; the one that acts comes last. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** A window above the page, which holds the focus. */
export function Dialog({ title, isOpen, onClose, shape = "normal", isAlert = false, footer, children }: DialogProps) {
  const isDrawer = shape === "drawer" || shape === "wide-drawer";
  const ofDrawer = classNames(isDrawer && styles.drawer, shape === "wide-drawer" && styles.wideDrawer);
  const change = (next: boolean) => {
    if (!next) onClose?.();
  };
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={change}
      isDismissable={onClose !== undefined && !isAlert}
      isKeyboardDismissDisabled={onClose === undefined}
      className={classNames(styles.backdrop, isDrawer && styles.drawerBackdrop)}
    >
      <Modal className={classNames(styles.modal, shape === "wide" && styles.wide, ofDrawer)}>
        <AriaDialog role={isAlert ? "alertdialog" : "dialog"} className={styles.dialog ?? ""}>
          <div className={styles.head}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {onClose && !isAlert && <IconButton icon="x" label={t("action.close")} onClick={onClose} />}
          </div>
          <div className={styles.body}>{children}</div>
          {footer && (
            <div className={styles.foot} data-bottom-bar={isDrawer ? "" : undefined}>
              {footer}
            </div>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
