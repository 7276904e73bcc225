/** SQL that compares the link rows of components with the components that are stored. */
import { componentsIn, linkKeys, type TableLayout } from "./layout.js";
import type { Attribute, ComponentAttribute, ContentModel, Shape, ZoneAttribute } from "../../schema/model.js";
import { identifier, literal } from "../sql/sql.js";

const COLUMNS = "source, attribute, target, target_type, position, inverse_position";
/** Of which there is one each. */
const ROW = "(source, attribute, target_type, target)";

/** Which link rows are compared. */
interface Comparison {
  /** Condition on the rows `t` of the content-type; default: all. */
  readonly rows?: string;
  /** Codes of the attributes; default: those of the model. */
  readonly codes?: readonly number[];
}

/** The link table of a content-type whose components can hold links; undefined for any other. */
export function heldLinksOf(model: ContentModel, layout: TableLayout): HeldLinks | undefined {
  const keys = linkKeys(model, layout.type).filter((key) => key.includes("#"));
  return layout.links === undefined || keys.length === 0 ? undefined : new HeldLinks(model, layout, layout.links, keys);
}

/** Statements on the link rows of components: each row should be there for a link that a stored component holds. */
export class HeldLinks {
  /** Codes of what the components of the model can hold. */
  readonly codes: readonly number[];
  readonly #links: string;

  constructor(
    private readonly model: ContentModel,
    private readonly layout: TableLayout,
    links: string,
    private readonly keys: readonly string[],
  ) {
    this.#links = identifier(links);
    this.codes = keys.map((key) => this.#codeOf(key));
  }

  /**
   * Gives rows the links of their components that another row has, too, and takes those from them that their components
   * do not hold: `$1` row id of the other one, `$2` row ids. A link to a document that is gone is given to none.
   */
  give(): string {
    const rows = "$2::int8[]";
    const gone = `delete from ${this.#links} l where l.source = any(${rows}) and ${this.#isSurplus(this.codes)}`;
    return [
      `with recursive ${this.#held(`t.id = any(${rows})`)}, gone as (${gone}) insert into ${this.#links} (${COLUMNS})`,
      "select h.source, h.attribute, h.target, h.target_type, s.position, s.inverse_position from held h",
      `join ${this.#links} s on s.source = $1::int8 and ${isSame("s")} on conflict ${ROW} do nothing`,
    ].join(" ");
  }

  /**
   * Gives rows all the links of components that another row has, and takes none: for rows with components that the model
   * lacks. Parameters as of `give`.
   */
  copy(): string {
    return [
      `insert into ${this.#links} (${COLUMNS}) select t.id, s.attribute, s.target, s.target_type, s.position, s.inverse_position`,
      `from ${this.#links} s cross join unnest($2::int8[]) t(id)`,
      `where s.source = $1::int8 and s.attribute in (${this.codes.join(", ")}) on conflict ${ROW} do nothing`,
    ].join(" ");
  }

  /** The surplus rows of all documents, as `l`: `select count(*)`. */
  select(what: string): string {
    return `with recursive ${this.#held("true")} select ${what} from ${this.#links} l where ${this.#isSurplus(this.codes)}`;
  }

  /** Deletes surplus rows. */
  delete({ rows = "true", codes = this.codes }: Comparison = {}): string {
    const ofRows =
      rows === "true" ? "" : ` and l.source in (select t.id from ${identifier(this.layout.table)} t where ${rows})`;
    return `with recursive ${this.#held(rows)} delete from ${this.#links} l where ${this.#isSurplus(codes)}${ofRows}`;
  }

  #isSurplus(codes: readonly number[]): string {
    return `l.attribute in (${codes.join(", ")}) and not exists (select from held h where h.source = l.source and ${isSame("l")})`;
  }

  /** `held`: what the components of rows link to, each once, with the codes of the link table. */
  #held(rows: string): string {
    const relations = this.keys.map((key) => {
      const [component = "", name = ""] = key.split("#");
      return `(${literal(component)}, ${literal(name)}, ${this.#codeOf(key)}::int2)`;
    });
    return [
      `${this.#stored(rows)}, held as (select distinct s.source, r.code as attribute,`,
      "coalesce(v.value ->> 'documentId', v.value #>> '{}') as target, coalesce(v.value ->> '__type', '') as target_type",
      `from stored s join (values ${relations.join(", ")}) r(component, name, code) on r.component = s.component`,
      `cross join lateral jsonb_array_elements(${asList("s.item -> r.name")}) v(value) where jsonb_typeof(v.value) <> 'null')`,
    ].join(" ");
  }

  /** `stored`: each component of the rows, at any depth. */
  #stored(rows: string): string {
    const holders = [...this.layout.type.attributes.values()].filter(isStructured);
    const columns = holders.map((holder) => `(${uidOf(holder)}, t.${identifier(holder.column)})`);
    const top = [
      "select t.id as source, coalesce(c.component, i.item ->> '__component') as component, i.item",
      `from ${identifier(this.layout.table)} t cross join lateral (values ${columns.join(", ")}) c(component, stored)`,
      `cross join lateral jsonb_array_elements(${asList("c.stored")}) i(item) where ${rows}`,
    ].join(" ");
    const nested = [...componentsIn(this.model, this.layout.type)].flatMap(nestedHolders);
    if (nested.length === 0) return `stored as (${top})`;
    const inside = [
      "select s.source, coalesce(n.component, i.item ->> '__component'), i.item",
      `from stored s join (values ${nested.join(", ")}) n(holder, name, component) on n.holder = s.component`,
      `cross join lateral jsonb_array_elements(${asList("s.item -> n.name")}) i(item)`,
    ].join(" ");
    return `stored as (${top} union all ${inside})`;
  }

  #codeOf = (key: string): number => this.layout.codes.get(key) ?? 0;
}

/** A place in a component that holds further components: component, attribute, and the component there; null where each says its own. */
const nestedHolders = (holder: Shape): readonly string[] =>
  [...holder.attributes.values()]
    .filter(isStructured)
    .map((attribute) => `(${literal(holder.uid)}, ${literal(attribute.name)}, ${uidOf(attribute)})`);

/** The component that an attribute holds, as SQL; null in zones. */
const uidOf = (attribute: ComponentAttribute | ZoneAttribute): string =>
  attribute.kind === "component" ? `${literal(attribute.component)}::text` : "null::text";

/** What is stored as a list: none, one or many. */
const asList = (stored: string): string =>
  `case jsonb_typeof(${stored}) when 'array' then ${stored} else case when ${stored} is null then '[]' else jsonb_build_array(${stored}) end end`;

/** Whether a row of the link table is for the held link `h` of the same source. */
const isSame = (alias: string): string =>
  `${alias}.attribute = h.attribute and ${alias}.target = h.target and ${alias}.target_type = h.target_type`;

const isStructured = (attribute: Attribute): attribute is ComponentAttribute | ZoneAttribute =>
  attribute.kind === "component" || attribute.kind === "dynamiczone";
