import { expect } from "chai";
import { RunningCommand, runPlinth } from "../../core/cli/plinth-command.js";
import { type Line, schemas, typeLine } from "./export-content.js";
import { emptyProject, readRows } from "./import-project.js";
import { writeExport } from "./write-export.js";

const COUNT = 8_000;

const documentIdOf = (index: number): string => `note${String(index).padStart(20, "0")}`;

/** Notes that lead to the one before them. */
function notes(): { entities: Line[]; links: Line[] } {
  const indexes = Array.from({ length: COUNT }, (_, index) => index + 1);
  const at = "2025-01-01T00:00:00.000Z";
  const times = { createdAt: at, updatedAt: at, publishedAt: at, locale: null };
  return {
    entities: indexes.map((id) => ({
      type: "api::note.note",
      id,
      data: { documentId: documentIdOf(id), text: `Note ${id}`.repeat(20), ...times },
    })),
    links: indexes.slice(1).map((id) => ({
      kind: "relation.circular",
      relation: "oneToMany",
      left: { type: "api::note.note", field: "earlier", ref: id, pos: 1 },
      right: { type: "api::note.note", ref: id - 1 },
    })),
  };
}

describe("an import that is ended", () => {
  it("goes on where it was when it is run again, and leaves what an undisturbed one leaves", async () => {
    const earlier = { type: "relation", relation: "oneToMany", target: "api::note.note" };
    const note = typeLine("api::note.note", { text: { type: "text" }, earlier });
    const source = writeExport({ schemas: [...schemas, note], ...notes(), assets: {} });
    const [ended, whole] = [emptyProject(), emptyProject()];

    const command = new RunningCommand(["import", "strapi", source], { cwd: ended });
    await command.waitFor(/entries: [1-9]\d* of 8000/);
    await command.stop("SIGKILL");
    expect(command.stderr).to.not.match(/entries: 12000 of/);

    const resumed = await runPlinth(["import", "strapi", source, "--json"], { cwd: ended });
    expect(resumed.code, resumed.stderr).to.equal(0);
    const { types } = JSON.parse(resumed.stdout) as { types: { uid: string; written: number; present: number }[] };
    const result = types.find(({ uid }) => uid === "api::note.note");
    expect((result?.written ?? 0) + (result?.present ?? 0)).to.equal(COUNT);
    expect(result?.present).to.be.greaterThan(0);
    expect(result?.written).to.be.greaterThan(0);

    const undisturbed = await runPlinth(["import", "strapi", source], { cwd: whole });
    expect(undisturbed.code, undisturbed.stderr).to.equal(0);
    const contentOf = async (root: string) =>
      (await readRows(root)).split("\n").filter((line) => line.includes("Note ") || /^\(\d+,\d+,note0/.test(line));
    expect(await contentOf(ended)).to.deep.equal(await contentOf(whole));
  });
});
