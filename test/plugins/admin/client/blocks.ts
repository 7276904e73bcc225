import fc from "fast-check";

type Json = Readonly<Record<string, unknown>>;

const word = fc.constantFrom("a", "Übung", "two words", "x\ny", "שלום", "👩‍👩‍👧", " ", "\t");
const json = fc.constantFrom<unknown>({ a: { b: [1] } }, null, [1, "x"], "x", "", 0, -1.5, true, {});
const keys = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom("id", "style", "x-note", "indentLevel"), json) },
);

const leaf: fc.Arbitrary<Json> = fc
  .record({
    text: word,
    flags: fc.dictionary(fc.constantFrom("bold", "italic", "underline", "strikethrough", "code"), fc.boolean()),
    keys,
  })
  .map(({ text, flags, keys: more }) => ({ type: "text", text, ...flags, ...more }));

/** Neighbours differ by a key, as nobody could tell them apart otherwise: an editor joins texts that look the same. */
const leaves = (least: number) =>
  fc
    .array(leaf, { minLength: least, maxLength: 4 })
    .map((texts) => texts.map((text, index) => (index > 0 ? { ...text, n: index } : text)));

const link: fc.Arbitrary<Json> = fc
  .record({ url: fc.constantFrom("https://a.example", "/b", "mailto:c@d.example"), children: leaves(1), keys })
  .map(({ url, children, keys: more }) => ({ type: "link", url, ...more, children }));

const inlines = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: leaf },
      { weight: 1, arbitrary: link },
      fc.record({ type: fc.constant("mention"), user: fc.nat() }),
    ),
    {
      maxLength: 4,
    },
  )
  .map((nodes) => nodes.map((node, index): Json => ({ ...node, n: index })))
  .map((nodes) => (nodes.length > 0 ? nodes : [{ type: "text", text: "" }]));

const textblock = (type: string, own: fc.Arbitrary<Json> = fc.constant({})) =>
  fc
    .record({ own, keys, children: inlines })
    .map(({ own: more, keys: other, children }): Json => ({ type, ...other, ...more, children }));

const item = textblock("list-item");
const format = fc.constantFrom("ordered", "unordered");

const { list } = fc.letrec<{ list: Json }>((tie) => ({
  list: fc
    .record({
      format,
      keys,
      children: fc.array(fc.oneof({ depthSize: "small", maxDepth: 3 }, item, tie("list")), {
        minLength: 1,
        maxLength: 4,
      }),
    })
    .map(({ keys: more, ...rest }): Json => ({ type: "list", ...more, ...rest })),
}));

/** A block, also one that no editor knows, with keys that none knows. */
export const block: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: textblock("paragraph") },
  textblock("heading", fc.record({ level: fc.integer({ min: 1, max: 6 }) })),
  textblock("quote"),
  textblock("code", fc.record({ language: fc.constantFrom("js", "plaintext") })),
  { weight: 2, arbitrary: list },
  fc.record({
    type: fc.constant("image"),
    image: fc.record({ url: fc.constant("/a.png"), id: fc.nat() }),
    children: fc.constant([{ type: "text", text: "" }]),
  }),
  fc.record({ type: fc.constantFrom("embed", "heading", "list", "paragraph"), x: json }),
  json,
);

/** A value of `blocks`. */
export const blocks: fc.Arbitrary<readonly unknown[]> = fc.array(block, { minLength: 1, maxLength: 6 });
