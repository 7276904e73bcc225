/** SQL that compares the link rows of components with the components that are stored. */
import { isRelation, linkCode, linkKeys, type TableLayout } from "./layout.js";
import type {
  Attribute,
  ComponentAttribute,
  ContentModel,
  RelationAttribute,
  Shape,
  ZoneAttribute,
} from "../../schema/model.js";
import { identifier, literal } from "../sql/sql.js";

/** A relation that components can hold. */
interface HeldRelation {
  readonly component: string;
  readonly relation: RelationAttribute;
  /** In the link table. */
  readonly code: number;
}

/** The link table of a content-type whose components hold links, or did; undefined for any other. */
export function heldLinksOf(model: ContentModel, layout: TableLayout): HeldLinks | undefined {
  const relations = relationsOf(model, layout);
  return layout.links === undefined || relations.length === 0
    ? undefined
    : new HeldLinks(model, layout, { links: identifier(layout.links), relations });
}

/** What is stored may have components that its attribute no longer lists: all that the type ever had a code for count. */
function relationsOf(model: ContentModel, layout: TableLayout): readonly HeldRelation[] {
  const keys = new Set([...linkKeys(model, layout.type), ...layout.codes.keys()].filter((key) => key.includes("#")));
  return [...keys].flatMap((key) => {
    const [component = "", name = ""] = key.split("#");
    const relation = model.components.get(component)?.attributes.get(name);
    return relation && isRelation(relation) ? [{ component, relation, code: linkCode(layout, key) }] : [];
  });
}

/** Statements on the link rows of components: each should be there for a link that a stored component holds. */
export class HeldLinks {
  readonly #links: string;
  readonly #relations: readonly HeldRelation[];
  readonly #codes: string;

  constructor(
    private readonly model: ContentModel,
    private readonly layout: TableLayout,
    { links, relations }: { readonly links: string; readonly relations: readonly HeldRelation[] },
  ) {
    this.#links = links;
    this.#relations = relations;
    this.#codes = relations.map(({ code }) => code).join(", ");
  }

  /**
   * Gives rows the links of their components that another row has, too, and takes those from them that their components
   * do not hold: `$1` row id of the other one, `$2` row ids. A link to a document that is gone is given to none.
   */
  give(): string {
    return [
      `with ${this.#held("t.id = any($2::int8[])")}, gone as (${this.#deletion("l.source = any($2::int8[])")}),`,
      `added as (insert into ${this.#links} (${COLUMNS})`,
      "select h.source, h.attribute, h.target, s.target_type, s.position, s.inverse_position from held h",
      `join ${this.#links} s on s.source = $1::int8 and ${this.#isSame("s")} on conflict ${ROW} do nothing) select 1`,
    ].join(" ");
  }

  /** How many link rows of rows are surplus, and how many are missing: `$1` and `$2` as of `idsAfter`. */
  count(): string {
    const surplus = `select count(*)::float8 from ${this.#links} l where l.source > $1::int8 and l.source <= $2::int8 and ${this.#isSurplus()}`;
    return `with ${this.#held(BETWEEN)} select (${surplus}) as surplus, (select count(*)::float8 from (${this.#missing()}) m) as missing`;
  }

  /** The next ids of rows: `$1` the last one of before; 0 at first. */
  idsAfter(limit: number): string {
    const ids = `select id from ${identifier(this.layout.table)} where id > $1::int8 order by id limit ${limit}`;
    return `select max(id)::text as last from (${ids}) i`;
  }

  /** Deletes surplus rows: `$1` and `$2` as of `count`. */
  delete(): string {
    return `with ${this.#held(BETWEEN)} ${this.#deletion("l.source > $1::int8 and l.source <= $2::int8")}`;
  }

  /** Adds missing rows: `$1` and `$2` as of `count`. */
  add(): string {
    return `with ${this.#held(BETWEEN)} insert into ${this.#links} (${COLUMNS}) ${this.#missing()} on conflict ${ROW} do nothing`;
  }

  #deletion(rows: string): string {
    return `delete from ${this.#links} l where ${rows} and ${this.#isSurplus()}`;
  }

  #isSurplus(): string {
    return `l.attribute in (${this.#codes}) and not exists (select from held h where h.source = l.source and ${this.#isSame("l")})`;
  }

  /** Links to documents that are there, without a row. */
  #missing(): string {
    const there = this.#relations.flatMap(({ relation, code }) => {
      const types = relation.target === undefined ? [...this.model.contentTypes.keys()] : [relation.target];
      return types.flatMap((uid) => {
        const type = this.model.contentTypes.get(uid);
        const isType = relation.target === undefined ? ` and h.target_type = ${literal(uid)}` : "";
        const found = `exists (select from ${identifier(type?.table ?? "")} d where d.document_id = h.target)`;
        return type ? [`(h.attribute = ${code}${isType} and ${found})`] : [];
      });
    });
    return [
      "select h.source, h.attribute, h.target, h.target_type, 0::float8, null::float8 from held h",
      `where not exists (select from ${this.#links} l where l.source = h.source and ${this.#isSame("l")})`,
      `and (${there.join(" or ") || "false"})`,
    ].join(" ");
  }

  /** `held`: what the components of rows link to, each once, with the codes of the link table. Citus loses `recursive` beside an insert. */
  #held(rows: string): string {
    const relations = this.#relations.map(
      ({ component, relation, code }) => `(${literal(component)}, ${literal(relation.name)}, ${code}::int2)`,
    );
    return [
      `held as (with recursive ${this.#stored(rows)} select distinct s.source, r.code as attribute,`,
      "coalesce(v.value ->> 'documentId', v.value #>> '{}') as target, coalesce(v.value ->> '__type', '') as target_type",
      `from stored s join (values ${relations.join(", ")}) r(component, name, code) on r.component = s.component`,
      `cross join lateral jsonb_array_elements(${asList("s.item -> r.name")}) v(value) where jsonb_typeof(v.value) <> 'null')`,
    ].join(" ");
  }

  /** `stored`: each component of the rows, at any depth. */
  #stored(rows: string): string {
    const holders = [...this.layout.type.attributes.values()].filter(isStructured);
    const columns = holders.map((holder) => `(${uidOf(holder)}, t.${identifier(holder.column)})`);
    const nothing = "(null::text, null::jsonb)";
    const top = [
      "select t.id as source, coalesce(c.component, i.item ->> '__component') as component, i.item",
      `from ${identifier(this.layout.table)} t cross join lateral (values ${columns.join(", ") || nothing}) c(component, stored)`,
      `cross join lateral jsonb_array_elements(${asList("c.stored")}) i(item) where ${rows}`,
    ].join(" ");
    const nested = [...this.model.components.values()].flatMap(nestedHolders);
    if (nested.length === 0) return `stored as (${top})`;
    const inside = [
      "select s.source, coalesce(n.component, i.item ->> '__component'), i.item",
      `from stored s join (values ${nested.join(", ")}) n(holder, name, component) on n.holder = s.component`,
      `cross join lateral jsonb_array_elements(${asList("s.item -> n.name")}) i(item)`,
    ].join(" ");
    return `stored as (${top} union all ${inside})`;
  }

  /**
   * Whether a row of the link table is for the held link `h` of the same source. A type that the model does not have was
   * renamed: link rows have the new name, and components the old one.
   */
  #isSame(alias: string): string {
    const known = ["", ...this.model.contentTypes.keys()].map((uid) => literal(uid)).join(", ");
    return [
      `${alias}.attribute = h.attribute and ${alias}.target = h.target`,
      `(${alias}.target_type = h.target_type or h.target_type not in (${known}))`,
    ].join(" and ");
  }
}

const COLUMNS = "source, attribute, target, target_type, position, inverse_position";
/** Of which there is one each. */
const ROW = "(source, attribute, target_type, target)";
const BETWEEN = "t.id > $1::int8 and t.id <= $2::int8";

/** Where a component holds further ones: its uid, the attribute, and the uid there; null where each says its own. */
const nestedHolders = (holder: Shape): readonly string[] =>
  [...holder.attributes.values()]
    .filter(isStructured)
    .map((attribute) => `(${literal(holder.uid)}, ${literal(attribute.name)}, ${uidOf(attribute)})`);

/** The component that an attribute holds, as SQL; null in zones. */
const uidOf = (attribute: ComponentAttribute | ZoneAttribute): string =>
  attribute.kind === "component" ? `${literal(attribute.component)}::text` : "null::text";

/** What is stored as a list: none, one or many. */
const asList = (stored: string): string =>
  `case jsonb_typeof(${stored}) when 'array' then ${stored} when 'object' then jsonb_build_array(${stored}) when 'string' then jsonb_build_array(${stored}) else '[]' end`;

const isStructured = (attribute: Attribute): attribute is ComponentAttribute | ZoneAttribute =>
  attribute.kind === "component" || attribute.kind === "dynamiczone";
