import { DockerfileParser, type Instruction } from "dockerfile-ast";

/** An image that is built: what its `FROM` names, and the lines after that. */
interface Stage {
  readonly name: string;
  /** Such as `node:22.23.1-bookworm-slim@sha256:...`, or the name of a stage. */
  readonly from: string;
  readonly steps: readonly Step[];
}

/** A line of a Dockerfile, such as `COPY --from=build /app ./`. */
interface Step {
  readonly keyword: string;
  readonly text: string;
}

/** An image is one by its version and by its digest: a tag alone may be another image tomorrow. */
const PINNED = /^[\w./-]+:\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/;
const SECRET = /secret|token|password|salt|credential|(^|_)key/i;

/** What of our rules a Dockerfile breaks. */
export function dockerfileProblems(text: string): readonly string[] {
  const stages = stagesOf(text);
  const last = stages.at(-1);
  if (!last) return ["it makes no image"];
  return [
    ...stages.flatMap((stage) => baseProblems(stage, stages)),
    ...stages.flatMap(orderProblems),
    ...stages.flatMap(({ steps }) => steps.flatMap(secretProblems)),
    ...runProblems(last, stages),
  ];
}

/** The words of the line that starts the image: `ENTRYPOINT` and `CMD`, or `HEALTHCHECK`, as JSON lists. */
export function wordsOf(text: string, keyword: "ENTRYPOINT" | "CMD" | "HEALTHCHECK"): readonly string[] {
  const step = stagesOf(text)
    .at(-1)
    ?.steps.findLast((each) => each.keyword === keyword);
  const [list = "[]"] = /\[.*\]$/s.exec(step?.text ?? "") ?? [];
  return JSON.parse(list) as string[];
}

function stagesOf(text: string): readonly Stage[] {
  const stages: { name: string; from: string; steps: Step[] }[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const step = stepOf(instruction);
    const [from = "", , name = ""] = step.text.split(/\s+/);
    if (step.keyword === "FROM") stages.push({ from, name, steps: [] });
    else stages.at(-1)?.steps.push(step);
  }
  return stages;
}

const stepOf = (instruction: Instruction): Step => ({
  keyword: instruction.getKeyword(),
  // With the flags, which its arguments leave out.
  text: instruction.getTextContent().slice(instruction.getInstruction().length).trim(),
});

function baseProblems({ from }: Stage, stages: readonly Stage[]): readonly string[] {
  const isPinned = PINNED.test(from) || stages.some(({ name }) => name === from);
  return isPinned ? [] : [`${from} is not pinned`];
}

/** Packages are installed before the sources are copied: else each change of a source installs them again. */
function orderProblems({ name, from, steps }: Stage, _: number, stages: readonly Stage[]): readonly string[] {
  const base = stages.find((stage) => stage.name === from);
  const all = [...(base?.steps ?? []), ...steps];
  const place = (keyword: string, text: RegExp) =>
    all.findIndex((step) => step.keyword === keyword && text.test(step.text));
  const [install, manifest, sources] = [place("RUN", /\bnpm ci\b/), place("COPY", /package/), place("COPY", /^\. /)];
  const build = place("RUN", /\bnpm run build\b/);
  return [
    ...(install !== -1 && (manifest === -1 || manifest > install) ? [`${name} installs what no manifest names`] : []),
    ...(sources !== -1 && sources < install ? [`${name} copies the sources before it installs packages`] : []),
    ...(build !== -1 && (sources === -1 || sources > build) ? [`${name} builds before it has the sources`] : []),
  ];
}

function secretProblems({ keyword, text }: Step): readonly string[] {
  const names = keyword === "ENV" || keyword === "ARG" ? text.split(/\s+/).map((pair) => pair.split("=")[0] ?? "") : [];
  const copied = keyword === "COPY" || keyword === "ADD" ? text.split(/\s+/) : [];
  return [
    ...names.filter((name) => SECRET.test(name)).map((name) => `${name} would be in the image`),
    ...copied.filter((path) => /(^|\/)\.env/.test(path)).map((path) => `${path} would be in the image`),
  ];
}

function runProblems({ steps }: Stage, stages: readonly Stage[]): readonly string[] {
  const find = (keyword: string) => steps.findLast((step) => step.keyword === keyword)?.text ?? "";
  const [, packages] = /--from=(\w+) \S*node_modules/.exec(steps.map(({ text }) => text).join("\n")) ?? [];
  const installed = stages.find(({ name }) => name === packages)?.steps ?? [];
  const user = find("USER");
  const program = find("ENTRYPOINT") || find("CMD");
  const holds: readonly (readonly [boolean, string])[] = [
    [user !== "" && !/^(root|0)\b/.test(user), "it runs as root"],
    [find("STOPSIGNAL") === "SIGTERM", "SIGTERM does not stop it"],
    [/^--.*\["node", .*\/health\/live/.test(find("HEALTHCHECK")), "its health check does not ask /health/live"],
    [program.startsWith('["node", '), "process 1 is not node"],
    [installed.some(({ text }) => /npm ci --omit=dev/.test(text)), "it has development packages"],
    [!steps.some(({ text }) => /--chown/.test(text)), "the app may change its own files"],
    [["/app/.plinth", "/tmp"].every((path) => find("VOLUME").includes(`"${path}"`)), "it cannot be read-only"],
  ];
  return holds.flatMap(([isSo, problem]) => (isSo ? [] : [problem]));
}
