import { Link } from "@tanstack/react-router";
import { Icon } from "../../../ui/icon.js";
import styles from "./settings.module.css";

type Lists = "/settings/tokens" | "/settings/users" | "/settings/user-roles";

/** Leads from one thing to the list of all. */
export function BackLink({ to, children }: { readonly to: Lists; readonly children: string }) {
  return (
    <Link to={to} className={styles.back}>
      <Icon name="chevron-left" size={0.875} />
      {children}
    </Link>
  );
}
