import type { Database } from "../driver/database.js";
import { NEXT_COMPONENT_IDS } from "./component-sql.js";

/** How many ids one step of the sequence stands for. */
const BLOCK = 100;

/** Hands out ids of components: blocks come from a sequence, so that ids are unique across processes and cost little. */
export class ComponentIds {
  #free: number[] = [];

  constructor(private readonly db: Database) {}

  /** Takes `count` ids; a block that another caller emptied meanwhile is followed by the next one. */
  async take(count: number): Promise<number[]> {
    const taken = this.#free.splice(0, count);
    while (taken.length < count) {
      const [row] = await this.db.query<{ id: string }>({
        text: NEXT_COMPONENT_IDS,
        values: [],
        isPlan: true,
      });
      const first = Number(row?.id);
      this.#free.push(...Array.from({ length: BLOCK }, (_, index) => first + index));
      taken.push(...this.#free.splice(0, count - taken.length));
    }
    return taken;
  }
}
