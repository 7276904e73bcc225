import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LocalizedString, LocalizedStringDictionary, LocalizedStringFormatter } from "@internationalized/string";
import { compileStrings } from "@internationalized/string-compiler";
import { expect } from "chai";
import { parseAst } from "vite";
import { LANGUAGES } from "#plugins/admin/client/messages/text.js";

const CLIENT = join(import.meta.dirname, "../../../../plugins/admin/client");
const NUMBERS = [0, 1, 2, 5];

type Messages = Readonly<Record<string, string>>;

const readFile = (language: string, name: string): Messages =>
  JSON.parse(readFileSync(join(CLIENT, "messages", language, name), "utf8")) as Messages;
const filesOf = (language: string): readonly string[] => readdirSync(join(CLIENT, "messages", language));
const messagesOf = (language: string): Messages =>
  Object.assign({}, ...filesOf(language).map((name) => readFile(language, name))) as Messages;

/** What a message says for some numbers, and the variables it takes. */
interface Formatted {
  readonly texts: readonly string[];
  readonly variables: readonly string[];
}

/** All messages of a language as the page has them: compiled, and formatted with each of `NUMBERS`. */
async function formatAll(language: string): Promise<ReadonlyMap<string, Formatted>> {
  const messages = messagesOf(language);
  const code = encodeURIComponent(compileStrings({ ...messages }, { format: "esm" }));
  const compiled = (await import(`data:text/javascript,${code}`)) as { default: Record<string, LocalizedString> };
  const dictionary = new LocalizedStringDictionary({ [language]: compiled.default }, language);
  const formatter = new LocalizedStringFormatter(language, dictionary);
  const format = (key: string): Formatted => {
    const variables = new Set<string>();
    const texts = NUMBERS.map((number) => formatter.format(key, everyVariable(number, variables)));
    return { texts, variables: [...variables].sort() };
  };
  return new Map(Object.keys(messages).map((key) => [key, format(key)]));
}

/** Has a value for every name, and notes the names that are read. */
const everyVariable = (value: number, names: Set<string>): Record<string, number> =>
  new Proxy<Record<string, number>>(
    {},
    {
      get: (_target, name) => {
        names.add(String(name));
        return value;
      },
    },
  );

const english = messagesOf("en");
const keysOf = (language: string, name: string): readonly string[] => Object.keys(readFile(language, name));

describe("texts of the admin page", () => {
  for (const language of LANGUAGES) {
    it(`are complete, and in order in each file (${language})`, () => {
      expect(filesOf(language)).to.deep.equal(filesOf("en"));
      for (const name of filesOf("en"))
        expect(keysOf(language, name), name).to.deep.equal(keysOf("en", name).toSorted());
    });

    it(`say the same values as in English, for none, one and many (${language})`, async () => {
      const expected = await formatAll("en");
      for (const [key, { texts, variables }] of await formatAll(language)) {
        expect(variables, key).to.deep.equal(expected.get(key)?.variables);
        for (const text of texts) expect(text, key).to.match(/^(?=.*[\p{L}\p{N}])[^{}#]+$/u);
      }
    });
  }

  it("count in the plurals of the language", async () => {
    const total = async (language: string) => (await formatAll(language)).get("list.total")?.texts;
    expect(await total("de")).to.deep.equal(["0 Dokumente", "1 Dokument", "2 Dokumente", "5 Dokumente"]);
    expect(await total("fr")).to.deep.equal(["0 document", "1 document", "2 documents", "5 documents"]);
    expect(await total("es")).to.deep.equal(["0 documentos", "1 documento", "2 documentos", "5 documentos"]);
  });

  it("never break a line before a sign in French", () => {
    // U+202F before ; ? ! and U+00A0 before a colon, as the Imprimerie nationale has them.
    for (const [key, text] of Object.entries(messagesOf("fr"))) {
      expect(text, key).not.to.match(/[^\u202f][;?!]|[^\u00a0]:(?!\/\/)/);
    }
  });

  it("are all in use", () => {
    const sources = sourceFiles(/\.tsx?$/).map(({ text }) => text);
    const named = new Set(sources.flatMap((text) => [...text.matchAll(/"([\w.-]+)"/g)].map(([, key]) => key)));
    const patterns = sources.flatMap((text) => [...text.matchAll(TEMPLATE)].map(([, start, end]) => [start, end]));
    const isBuilt = (key: string) =>
      patterns.some(([start = "", end = ""]) => {
        const isAlike = key.startsWith(start) && key.endsWith(end) && key.length > start.length + end.length;
        return isAlike && !key.slice(start.length, key.length - end.length).includes(".");
      });
    expect(Object.keys(english).filter((key) => !named.has(key) && !isBuilt(key))).to.deep.equal([]);
  });

  it("stand in the files of the languages, and not in the components", () => {
    const found = sourceFiles(/\.tsx$/).flatMap(({ name, text }) =>
      wordsIn(parseAst(text, { lang: "tsx" }))
        .filter((words) => /\p{L}/u.test(words) && !words.startsWith("https://"))
        .map((words) => `${name}: ${words.trim()}`),
    );
    expect(found).to.deep.equal([]);
  });
});

/** A key that is put together: `ask.${question}.text`. */
const TEMPLATE = /`([\w-]+\.(?:[\w-]+\.)*)\$\{[^{}]*\}([\w.-]*)`/g;

/** Attributes that people see or hear. */
const SHOWN = new Set(["aria-label", "alt", "hint", "label", "placeholder", "text", "title"]);

/** A node of a parsed source; only the parts that are read of JSX. */
interface Node {
  readonly type?: string;
  readonly name?: unknown;
  readonly value?: unknown;
}

/** The text of elements, and of the attributes that are `SHOWN`, in a parsed source. */
function wordsIn(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  const { type, name, value } = part as Node;
  if (type === "JSXText") return [String(value)];
  if (type === "JSXAttribute" && SHOWN.has(String((name as Node).name))) {
    const text = (value as Node | null)?.value;
    if (typeof text === "string") return [text];
  }
  return Object.values(part).flatMap(wordsIn);
}

const sourceFiles = (wanted: RegExp): readonly { readonly name: string; readonly text: string }[] =>
  readdirSync(CLIENT, { recursive: true, encoding: "utf8" })
    .filter((name) => wanted.test(name))
    .map((name) => ({ name, text: readFileSync(join(CLIENT, name), "utf8") }));
