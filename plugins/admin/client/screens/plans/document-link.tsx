import { Link } from "@tanstack/react-router";
import type { PlanPlace } from "../../../src/wire/plans.js";
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
  const link = { search: locale === null ? {} : { locale }, className } as const;
  const text = title ?? "…";
  return type.kind === "singleType" ? (
    <Link to="/single/$uid" params={{ uid }} {...link}>
      {title === t("edit.untitled") ? type.label : text}
    </Link>
  ) : (
    <Link to="/content/$uid/$id" params={{ uid, id: documentId }} {...link}>
      {text}
    </Link>
  );
}

/** Type and language of a document. */
export function PlaceText({ place: { type, locale } }: { readonly place: PlanPlace }) {
  const { types, locales } = useSession();
  const language = locales.find(({ code }) => code === locale)?.name ?? locale;
  return <>{[types.get(type)?.label ?? type, language].filter(Boolean).join(" · ")}</>;
}
