// Asks git which files and lines differ from another version, and where lines are in an older version of a file.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Comments, imports and empty lines: what changes no function. */
const NO_CODE = /^[+-]\s*(?:\/\/.*|\/?\*.*|import\b.*|\}? ?from .*)?$/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*\n((?:[+\\-].*\n?)*)/gm;

/**
 * What git knows of a clone. Lines are an interval: `{ from: 3.5, to: 5.5 }` is lines 4 and 5, and `{ from: 3.5, to: 3.5 }` what is
 * between 3 and 4.
 */
export class Clone {
  #root;

  /** @param {string} root - its folder */
  constructor(root) {
    this.#root = root;
  }

  /**
   * The commit that the changes of the clone count from.
   *
   * @param {string} [ref] - they count from where it forked from this; else from `main`, and on `main` itself from `origin/main`
   * @throws when there is no such commit
   */
  base(ref) {
    const isMain = this.#git("rev-parse", "--abbrev-ref", "HEAD") === "main";
    const refs = ref ? [ref] : isMain ? ["origin/main", "main"] : ["main", "origin/main"];
    const commit = refs.map((one) => this.#git("merge-base", one, "HEAD")).find((one) => one !== "");
    if (commit) return commit;
    throw new Error(`git knows no commit of ${refs.join(" or ")} that HEAD forked from: name one, --changed=<commit>`);
  }

  /** The paths of files that differ from a commit, new ones that git does not ignore among them. */
  changedFiles(commit) {
    const listed = [
      this.#git("diff", "--name-only", "--no-renames", "-z", commit),
      this.#git("ls-files", "--others", "--exclude-standard", "-z"),
    ];
    return listed.flatMap((paths) => paths.split("\0").filter((path) => path !== "")).sort();
  }

  /**
   * The lines of code of a file that differ from a commit, as they are counted in a version of the file.
   *
   * @param {string | undefined} version - a blob of git
   * @returns undefined: all of it, as it is new or deleted or git does not have the version
   */
  changedLines(path, commit, version) {
    if (!existsSync(join(this.#root, path)) || !this.#has(`${commit}:${path}`) || !this.#has(version)) return undefined;
    const changed = this.#hunks(commit, "--", path).filter(({ isCode }) => isCode);
    const since = this.#hunks(version, path);
    return changed.map(({ now }) => linesBefore(now, since));
  }

  /** A line of a file as it is counted in a version; the line itself when git does not have that. */
  lineIn(version, path, line) {
    return linesBefore(interval(line), this.#has(version) ? this.#hunks(version, path) : []);
  }

  #has(blob) {
    return blob !== undefined && this.#git("cat-file", "-t", blob) === "blob";
  }

  #hunks(...what) {
    const text = this.#git("diff", "--unified=0", "--no-ext-diff", "--no-color", "--no-renames", ...what);
    return [...text.matchAll(HUNK)].map(([, oldStart, oldCount, start, count, lines]) => ({
      before: interval(oldStart, oldCount),
      now: interval(start, count),
      isCode: lines
        .trimEnd()
        .split("\n")
        .some((line) => !NO_CODE.test(line)),
    }));
  }

  /** @returns what it prints; empty when it fails */
  #git(...args) {
    const run = spawnSync("git", args, { cwd: this.#root, encoding: "utf8", maxBuffer: 1 << 26 });
    if (run.error) throw run.error;
    return run.status === 0 ? run.stdout.trimEnd() : "";
  }
}

function interval(start, count = "1") {
  const [first, length] = [Number(start), Number(count)];
  return length === 0 ? { from: first + 0.5, to: first + 0.5 } : { from: first - 0.5, to: first + length - 0.5 };
}

/** Where lines were before a change; lines inside of a hunk become all lines of it. @param hunks in the order of the file */
function linesBefore({ from, to }, hunks) {
  const shift = (edge, side, isAbove) => {
    const inside = hunks.find(({ now }) => now.from < edge && edge < now.to);
    const above = hunks.filter(isAbove).at(-1);
    return inside ? inside.before[side] : edge + (above ? above.before.to - above.now.to : 0);
  };
  // Lines that are deleted right there are among them.
  const start = shift(from, "from", ({ now }) => now.from < from && now.to <= from);
  return { from: start, to: shift(to, "to", ({ now }) => now.to <= to) };
}
