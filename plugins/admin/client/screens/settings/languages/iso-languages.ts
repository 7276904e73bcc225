/** Codes of languages. Of ISO 639-1, without dead ones, and some of ISO 639-3. @source https://www.iso.org/iso-639-language-code */
const LANGUAGES =
  "aa ab af ak am an ar as av ay az ba be bg bm bn bo br bs ca ce ch co cr cs cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi hr ht hu hy id ig ii ik is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn nr nv ny oc oj om or os pa pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi wa wo xh yi yo za zh zu fil gsw hsb kab nds sco yue";

/** Forms of a language in a country or a script that sites are often written in. @source https://cldr.unicode.org, the locales of full coverage */
const REGIONS =
  "ar-AE ar-EG ar-MA ar-SA de-AT de-CH de-DE en-AU en-CA en-GB en-IE en-IN en-NZ en-US en-ZA es-419 es-AR es-CL es-CO es-ES es-MX es-US fr-BE fr-CA fr-CH fr-FR it-CH nl-BE nl-NL pt-BR pt-PT ro-MD ru-RU sr-Cyrl sr-Latn sv-FI sw-KE ta-IN uz-Latn zh-CN zh-HK zh-Hans zh-Hant zh-TW";

/** A language that can be added. */
export interface KnownLanguage {
  /** `pt-BR`. */
  readonly code: string;
  /** In the language of the reader. */
  readonly name: string;
}

/** All of them by their names. @param reader - the language of the reader, by BCP 47 */
export function knownLanguages(reader: string): readonly KnownLanguage[] {
  const compare = new Intl.Collator(reader).compare;
  return [...LANGUAGES.split(" "), ...REGIONS.split(" ")]
    .map((code) => ({ code, name: languageName(code, reader) ?? code }))
    .sort((a, b) => compare(a.name, b.name));
}

const names = new Map<string, Intl.DisplayNames>();

/** The name of a language; undefined for a code of none. @param code - as the content has it, `pt_BR` too */
export function languageName(code: string, reader: string): string | undefined {
  const known = names.get(reader) ?? new Intl.DisplayNames([reader], { type: "language", fallback: "none" });
  names.set(reader, known);
  const tag = code.replaceAll("_", "-");
  // A code such as `en-x` is one of the content and no tag of a language.
  return isTag(tag) ? known.of(tag) : undefined;
}

/** The name of a language in itself; undefined for a code of none. */
export function ownName(code: string): string | undefined {
  const tag = code.replaceAll("_", "-");
  return isTag(tag) ? languageName(code, tag) : undefined;
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
