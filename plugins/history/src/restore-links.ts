import type { RelationAttribute } from "@plinth/core/schema";

/**
 * The change that gives a relation the links of a version again, as a body has it. Others than these two lists have are not
 * seen by who restores, and stay.
 *
 * @param shown - what is seen of the version; @param present - what is seen of the document.
 */
export function changeOfLinks({ isMany }: RelationAttribute, shown: unknown, present: unknown): object {
  const [wanted, linked] = [linksIn(shown), linksIn(present)];
  const added = [...wanted].filter(([key]) => !linked.has(key));
  const removed = [...linked].filter(([key]) => !wanted.has(key)).map(([, link]) => link);
  const isMoved = orderOf(wanted, linked) !== orderOf(linked, wanted);
  if (added.length === 0 && removed.length === 0 && !isMoved) return {};
  if (!isMany) return { set: [...wanted.values()] };
  const order = [...wanted.values()];
  const connect = [...(isMoved ? wanted : added)].map(([, link]) => ({
    ...link,
    position: placeAfter(order[order.indexOf(link) - 1]),
  }));
  return { connect, disconnect: removed };
}

type Link = object;

const linksIn = (value: unknown): ReadonlyMap<string, Link> =>
  new Map(([value ?? []].flat() as readonly Link[]).map((link) => [JSON.stringify(link), link]));

/** Those of one list that another has too, in their order. */
const orderOf = (links: ReadonlyMap<string, Link>, others: ReadonlyMap<string, Link>): string =>
  [...links.keys()].filter((key) => others.has(key)).join();

const placeAfter = (before: Link | undefined): object => (before ? { after: before } : { start: true });
