import type { PlanPlace } from "../../../src/wire/plans.js";
import { EntryLink } from "../../app/entry-link.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import type { TitleAt } from "./use-titles.js";

interface DocumentLinkProps {
  readonly place: PlanPlace;
  readonly titleAt: TitleAt;
  readonly className?: string | undefined;
}

/** Leads to a document; says so where it is gone. */
export function DocumentLink({ place, titleAt, className }: DocumentLinkProps) {
  const { types } = useSession();
  const { type: uid, documentId, locale } = place;
  const type = types.get(uid);
  const title = titleAt(place);
  if (!type || title === undefined) return <span className={className}>{t("plan.gone")}</span>;
  const isUntitledSingle = type.kind === "singleType" && title === t("edit.untitled");
  return (
    <EntryLink uid={uid} id={documentId} search={locale === null ? {} : { locale }} className={className}>
      {isUntitledSingle ? type.label : (title ?? "…")}
    </EntryLink>
  );
}

/** Type and language of a document. */
export function PlaceText({ place: { type, locale } }: { readonly place: PlanPlace }) {
  const { types, locales } = useSession();
  const language = locales.find(({ code }) => code === locale)?.name ?? locale;
  return <>{[types.get(type)?.label ?? type, language].filter(Boolean).join(" · ")}</>;
}
