import { type ReactNode, useMemo } from "react";
import { type FormPlace, FormProvider } from "../../../form/form-context.js";
import { Bone, Empty, Failed } from "../../../ui/state.js";
import { t } from "../../../messages/text.js";
import { useSession } from "../../../app/session.js";
import type { OpenDocument } from "../open-document.js";
import { BesideProvider } from "./beside.js";
import { BesideFrame } from "./beside-frame.js";
import { LanguageBar } from "./language-bar.js";
import { useLocaleStates } from "./locale-states.js";
import { useOtherLanguage } from "./other-language.js";
import { useTaking } from "./use-taking.js";

interface SideBySideProps {
  readonly opened: OpenDocument;
  readonly form: FormPlace;
  /** That stands beside the form. */
  readonly locale: string;
  readonly onChange: (locale: string | undefined) => void;
  readonly onFillIn: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form with another language beside each field. */
export default function SideBySide({ opened, form, locale, onChange, onFillIn, children }: SideBySideProps) {
  const { locales } = useSession();
  const states = useLocaleStates(opened);
  const isThere = states.has(locale);
  const { other, error, retry } = useOtherLanguage(opened, isThere ? locale : undefined);
  const take = useTaking(form);
  const framed = useMemo(() => ({ ...form, Frame: BesideFrame }), [form]);
  const beside = useMemo(
    () =>
      other && { other, take: (taken: Parameters<typeof take>[1], label: string) => void take(other, taken, label) },
    [other, take],
  );
  const language = locales.find(({ code }) => code === locale)?.name ?? locale;
  return (
    <>
      <LanguageBar {...{ opened, locale, onChange, onFillIn }} isReadOnly={form.isReadOnly} />
      {error ? <Failed error={error} retry={retry} /> : null}
      {!isThere && states.size > 0 && <Empty icon="languages" title={t("languages.notThere", { language })} />}
      {isThere && !other && !error && <Bone height="1rem" />}
      {beside ? (
        <BesideProvider value={beside}>
          <FormProvider value={framed}>{children}</FormProvider>
        </BesideProvider>
      ) : (
        children
      )}
    </>
  );
}
