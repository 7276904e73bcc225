import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/** How large an operation is with its fragments put in place of their spreads. */
export interface Measure {
  /** Levels of fields below the root fields; introspection does not count. */
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** Fields and spreads; Infinity for what is too large to count. */
  readonly size: number;
}

const NOTHING: Measure = { depth: 0, aliases: 0, directives: 0, size: 0 };

/** Measures operations of one document. Each fragment is walked once, however often it is spread. */
export class DocumentMeasure {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #measured = new Map<string, Measure>();

  constructor({ definitions }: DocumentNode) {
    const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  /** The depth of an operation's root fields is 0. */
  measure({ selectionSet, directives = [] }: OperationDefinitionNode): Measure {
    const inside = this.#measureSet(selectionSet, true);
    return { ...inside, directives: inside.directives + directives.length };
  }

  /** How many fields of the root type an operation asks for. */
  countRootFields({ selectionSet }: OperationDefinitionNode): number {
    return this.#countFields(selectionSet, new Set());
  }

  /** Of the fields of a set: 0 deep when none of them has fields of its own. */
  #measureSet({ selections }: SelectionSetNode, isRoot: boolean): Measure {
    let [depth, aliases, directives, size] = [0, 0, 0, 0];
    for (const selection of selections) {
      const inside = this.#measureInside(selection, isRoot);
      depth = Math.max(depth, inside.depth);
      aliases += inside.aliases + (selection.kind === Kind.FIELD && selection.alias ? 1 : 0);
      directives += inside.directives + (selection.directives?.length ?? 0);
      size += inside.size + 1;
    }
    return { depth, aliases, directives, size };
  }

  #measureInside(selection: SelectionSetNode["selections"][number], isRoot: boolean): Measure {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#measureFragment(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.#measureSet(selection.selectionSet, isRoot);
    if (!selection.selectionSet) return NOTHING;
    const inside = this.#measureSet(selection.selectionSet, false);
    const isIntrospection = isRoot && selection.name.value.startsWith("__");
    return { ...inside, depth: isIntrospection ? 0 : inside.depth + 1 };
  }

  /** A recursive fragment counts nothing; validation rejects the document. */
  #measureFragment(name: string): Measure {
    const known = this.#measured.get(name);
    if (known) return known;
    this.#measured.set(name, NOTHING);
    const fragment = this.#fragments.get(name);
    const measured = fragment ? this.#measureSet(fragment.selectionSet, true) : NOTHING;
    this.#measured.set(name, measured);
    return measured;
  }

  #countFields({ selections }: SelectionSetNode, open: Set<string>): number {
    let count = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) count += 1;
      else if (selection.kind === Kind.INLINE_FRAGMENT) count += this.#countFields(selection.selectionSet, open);
      else count += this.#countFragment(selection.name.value, open);
    }
    return count;
  }

  /** Fields of fragments that are spread several times are the same fields. */
  #countFragment(name: string, open: Set<string>): number {
    const fragment = this.#fragments.get(name);
    if (!fragment || open.has(name)) return 0;
    open.add(name);
    return this.#countFields(fragment.selectionSet, open);
  }
}
