import { Link, type LinkProps, useNavigate } from "@tanstack/react-router";
import type { AnchorHTMLAttributes } from "react";
import type { EditSearch } from "./edit-search.js";
import { useSession } from "./session.js";

type Attribute = "className" | "aria-current" | "aria-label" | "children";

interface EntryLinkProps extends Pick<AnchorHTMLAttributes<HTMLAnchorElement>, Attribute> {
  /** Of its content-type. */
  readonly uid: string;
  /** Its documentId; `new`: one that is to be made. */
  readonly id: string;
  readonly search?: EditSearch;
  /** Default: true. */
  readonly resetScroll?: boolean;
  readonly target?: "_blank";
  readonly activeOptions?: NonNullable<LinkProps["activeOptions"]>;
}

/** Leads to the form of a document. That of a single type has no id in its address. */
export function EntryLink({ uid, id, search = {}, ...rest }: EntryLinkProps) {
  const isSingle = useSession().types.get(uid)?.kind === "singleType";
  return isSingle ? (
    <Link to="/single/$uid" params={{ uid }} search={search} {...rest} />
  ) : (
    <Link to="/content/$uid/$id" params={{ uid, id }} search={search} {...rest} />
  );
}

/** Opens the form of a document. */
export type OpenEntry = (entry: Pick<EntryLinkProps, "uid" | "id" | "search" | "resetScroll">) => Promise<void>;

/** Opens forms as links to them do, from code. */
export function useOpenEntry(): OpenEntry {
  const { types } = useSession();
  const navigate = useNavigate();
  return ({ uid, id, search = {}, resetScroll = true }) =>
    types.get(uid)?.kind === "singleType"
      ? navigate({ to: "/single/$uid", params: { uid }, search, resetScroll })
      : navigate({ to: "/content/$uid/$id", params: { uid, id }, search, resetScroll });
}
