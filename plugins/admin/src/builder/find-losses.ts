import type { Attribute, Component, ContentModel, ContentType, PlannedStep } from "@plinth/core/schema";
import type { BuilderLoss } from "../wire/builder.js";

/**
 * What steps take away, by the names that people know: attributes and types. Where a step says of no attribute that it is
 * about it, its whole type is named.
 */
export function findLosses(
  steps: readonly PlannedStep[],
  before: ContentModel,
  after: ContentModel,
): readonly BuilderLoss[] {
  const found = steps.filter(({ isDestructive }) => isDestructive).flatMap((step) => lossesOf(step, before, after));
  return [...new Map(found.map((loss) => [loss.id, loss])).values()];
}

function lossesOf(step: PlannedStep, before: ContentModel, after: ContentModel): readonly BuilderLoss[] {
  if (step.kind === "rewrite components") return lossesInComponents(before, after);
  const isOf = ({ table }: ContentType) => step.table === table || step.table === `${table}_links`;
  const now = [...after.contentTypes.values()].find(isOf);
  const former = [...before.contentTypes.values()].find((type) => isOf(type) || type.table === now?.renamedFrom);
  const type = former ?? now;
  if (!type) return [{ id: step.table, uid: step.table, attribute: null, name: step.table }];
  const attribute = step.kind === "drop table" ? undefined : (attributeAt(former, step) ?? attributeAt(now, step));
  return [attribute ? lossOfAttribute(type, attribute) : lossOfType(type)];
}

/** The attribute whose column, or whose place in the link table, a step is about. */
function attributeAt(type: ContentType | undefined, { column }: PlannedStep): string | undefined {
  const all = [...(type?.attributes.values() ?? [])];
  const columnOf = (attribute: Attribute) => ("column" in attribute ? attribute.column : undefined);
  const found = all.find((attribute) => {
    const own = columnOf(attribute);
    return attribute.name === column || (own !== undefined && (own === column || `${own}_type` === column));
  });
  return found?.name;
}

/** Attributes of components that are gone or of another kind. More than one column may hold them; each is named once. */
function lossesInComponents(before: ContentModel, after: ContentModel): readonly BuilderLoss[] {
  return [...before.components.values()].flatMap((component) => {
    const now = after.components.get(component.uid);
    if (!now) return [];
    return [...component.attributes.values()]
      .filter((attribute) => isLost(attribute, now))
      .map(({ name }) => lossOfAttribute(component, name));
  });
}

function isLost(attribute: Attribute, { attributes }: Component): boolean {
  const now =
    attributes.get(attribute.name) ??
    [...attributes.values()].find(({ renamedFrom }) => renamedFrom === attribute.name);
  return now === undefined || formOf(now) !== formOf(attribute);
}

/** What decides, beside the kind, whether a stored value can stay. */
function formOf(attribute: Attribute): string {
  const { kind } = attribute;
  if (kind === "component") return `${kind} ${attribute.component} ${attribute.repeatable}`;
  if ("isMany" in attribute) return `${kind} ${attribute.target} ${attribute.isMany}`;
  return kind;
}

const lossOfAttribute = ({ uid }: { readonly uid: string }, name: string): BuilderLoss => ({
  ...{ id: `${uid}#${name}`, uid, attribute: name },
  name,
});

const lossOfType = ({ uid, singularName }: ContentType): BuilderLoss => ({
  ...{ id: uid, uid, attribute: null },
  name: singularName,
});
