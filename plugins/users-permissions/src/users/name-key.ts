import { domainToUnicode } from "node:url";

/** Letters of other scripts that look like Latin ones, after folding: Cyrillic, Greek, Armenian, and some of phonetics. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    ["a", "аα"],
    ["b", "Ьь"],
    ["c", "сϲ"],
    ["d", "ԁ"],
    ["e", "еҽє"],
    ["g", "ɡց"],
    ["h", "һհ"],
    ["i", "іıιɩ"],
    ["j", "јϳ"],
    ["k", "кκ"],
    ["l", "ӏ"],
    ["m", "м"],
    ["n", "ոո"],
    ["o", "оοօ"],
    ["p", "рρ"],
    ["q", "ԛ"],
    ["s", "ѕ"],
    ["t", "тτ"],
    ["u", "սυ"],
    ["v", "ѵν"],
    ["w", "ԝѡω"],
    ["x", "хχ"],
    ["y", "уүγ"],
  ].flatMap(([latin = "", others = ""]) => [...others].map((other): [string, string] => [other, latin])),
);

/**
 * What names are compared by: two names with one key look alike. Letter case, width, letters of other scripts that look
 * like Latin ones, invisible characters and the number of spaces make no difference; accents do.
 *
 * @param name - `Ａdmin` and `аdmin` (with a Cyrillic letter) both become `admin`.
 * @source https://www.unicode.org/reports/tr39/#Confusable_Detection, for the letters that matter most
 */
export function nameKey(name: string): string {
  // Upper case first: it is what the long s, the dotless i and the sharp s have in common with other letters.
  const folded = name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
  const visible = folded.replaceAll(/\p{Default_Ignorable_Code_Point}|\p{Cc}|\u0307/gu, "");
  return [...visible.trim().replaceAll(/\s+/gu, " ")].map((letter) => LOOK_ALIKES.get(letter) ?? letter).join("");
}

/** The same for e-mail addresses, whose domain may be written in letters or in ASCII: `xn--bcher-kva.example`. */
export function addressKey(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return nameKey(`${address.slice(0, at + 1)}${domainToUnicode(domain) || domain}`);
}
