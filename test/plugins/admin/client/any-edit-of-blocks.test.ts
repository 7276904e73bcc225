import { expect } from "chai";
import fc from "fast-check";
import { history } from "prosemirror-history";
import { type Command, EditorState, Selection, TextSelection } from "prosemirror-state";
import { parseBlocks } from "#core/schema/parse-blocks.js";
import { insertBlock, setLanguage, typeBelow } from "#plugins/admin/client/editors/blocks/block-commands.js";
import { blocksOf, documentOf } from "#plugins/admin/client/editors/blocks/convert.js";
import { keyCommands } from "#plugins/admin/client/editors/blocks/keys.js";
import { linkRange, removeLink, setLink } from "#plugins/admin/client/editors/blocks/link-commands.js";
import { schema } from "#plugins/admin/client/editors/blocks/schema.js";
import { BLOCK_ENTRIES } from "#plugins/admin/client/editors/blocks/slash-entries.js";
import { blocks } from "./blocks.js";

const type: Command = (state, dispatch) => {
  dispatch?.(state.tr.insertText("z"));
  return true;
};

const commands: Readonly<Record<string, Command>> = {
  ...keyCommands(() => true),
  ...Object.fromEntries(BLOCK_ENTRIES.flatMap(({ id, command }) => (command ? [[id, command]] : []))),
  picture: insertBlock(schema.nodes.image.create({ image: { url: "/a.png" } })),
  language: setLanguage("js"),
  below: typeBelow("t"),
  link: (state, dispatch) => setLink("/l", linkRange(state))(state, dispatch),
  unlink: (state, dispatch) => removeLink(linkRange(state))(state, dispatch),
  type,
};

const part = fc.double({ min: 0, max: 1, noNaN: true });

interface Step {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly isCursor: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...Object.keys(commands)),
  from: part,
  to: part,
  isCursor: fc.boolean(),
});

function run(state: EditorState, { name, from, to, isCursor }: Step): EditorState {
  const [$from, $to] = [from, to].map((one) => state.doc.resolve(Math.round(one * state.doc.content.size))) as [
    ReturnType<typeof state.doc.resolve>,
    ReturnType<typeof state.doc.resolve>,
  ];
  const selection = isCursor ? Selection.near($from) : TextSelection.between($from, $to);
  let next = state.apply(state.tr.setSelection(selection));
  commands[name]?.(next, (tr) => {
    next = next.apply(tr);
  });
  return next;
}

const problemsOf = (value: unknown) => parseBlocks(value, { path: [], use: "body" }).problems ?? [];

describe("Any edits of blocks, one after the other", () => {
  it("leave a document whose blocks read as the same again, and that the server takes if it took the one before", () => {
    fc.assert(
      fc.property(blocks, fc.array(step, { minLength: 1, maxLength: 10 }), (value, steps) => {
        const isTaken = problemsOf(value).length === 0;
        let state = EditorState.create({ doc: documentOf(value), plugins: [history()] });
        for (const one of steps) {
          state = run(state, one);
          state.doc.check();
          const result = blocksOf(state.doc, []);
          const again = schema.nodeFromJSON(documentOf(result).toJSON());
          expect(again.eq(state.doc), one.name).to.equal(true);
          if (isTaken) expect(problemsOf(result), one.name).to.deep.equal([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
