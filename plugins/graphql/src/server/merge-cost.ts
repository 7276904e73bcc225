/** How much work it is to find out whether the fields of a document that have one name in the answer can be merged. */
import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";

/** All that a document asks for in one place of the answer. */
interface Place {
  /** Places below, by their names in the answer, and how many fields ask for each. */
  readonly below: Map<string, { readonly place: Place; fields: number }>;
  /** Fragments whose fields are here already: those of a second spread are the same. */
  readonly fragments: Set<string>;
  spreads: number;
}

const newPlace = (): Place => ({ below: new Map(), fragments: new Set(), spreads: 0 });

/**
 * To compare two fields that have neither fields nor arguments costs 1. This is the cost of two others, of two spreads, and of
 * looking at anything at all.
 */
const MORE = 10;

/**
 * Whether merging the fields of a document costs more than a limit. The rule of GraphQL compares each field with all others
 * of its name in its place, and each spread with all others there; here they are only counted.
 */
export function costsMoreToMerge({ definitions }: DocumentNode, limit: number): boolean {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const merge = new Merge(fragments, limit);
  for (const definition of definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) merge.add(definition.selectionSet, newPlace());
  // Validation looks at those as well that no operation reaches.
  for (const fragment of fragments) if (!merge.hasReached(fragment)) merge.add(fragment.selectionSet, newPlace());
  return merge.left < 0;
}

/** Puts fields into their places. Each costs something, so that fragments in fragments take no longer than the limit says. */
class Merge {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #reached = new Set<FragmentDefinitionNode>();
  /** Those that are being walked through: one that leads back to itself has no end. */
  readonly #open = new Set<string>();

  /** @param left - what it may still cost; it stops below 0. */
  constructor(
    fragments: readonly FragmentDefinitionNode[],
    public left: number,
  ) {
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  hasReached(fragment: FragmentDefinitionNode): boolean {
    return this.#reached.has(fragment);
  }

  add({ selections }: SelectionSetNode, place: Place): void {
    for (const selection of selections) {
      if (this.left < 0) return;
      this.left -= MORE;
      if (selection.kind === Kind.INLINE_FRAGMENT) this.add(selection.selectionSet, place);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) this.#addFragment(selection.name.value, place);
      else this.#addField(selection, place);
    }
  }

  #addField({ alias, name, arguments: given = [], selectionSet }: FieldNode, { below }: Place): void {
    const answerName = (alias ?? name).value;
    const same = below.get(answerName) ?? { place: newPlace(), fields: 0 };
    below.set(answerName, same);
    const isSimple = !selectionSet && given.length === 0;
    this.left -= (isSimple ? 1 : MORE) * same.fields;
    same.fields += 1;
    if (selectionSet) this.add(selectionSet, same.place);
  }

  #addFragment(name: string, place: Place): void {
    this.left -= MORE * place.spreads;
    place.spreads += 1;
    const fragment = this.#fragments.get(name);
    if (!fragment || place.fragments.has(name) || this.#open.has(name)) return;
    this.#reached.add(fragment);
    place.fragments.add(name);
    this.#open.add(name);
    this.add(fragment.selectionSet, place);
    this.#open.delete(name);
  }
}
