// The reference of the command line: what `plinth` itself can do, and what plugins add to it.
import { page, tableOf } from "./reference-page.mjs";

/**
 * Builds core/CLI.md.
 *
 * @param {readonly import("@plinth/core").Plugin[]} plugins - that of core's own commands first
 */
export async function commandReference(plugins) {
  const { createProgram } = await import("../core/src/cli/program.ts");
  const own = createProgram().commands.flatMap((command) => leavesOf(command, []));
  const added = plugins.flatMap(({ name, definition }) =>
    Object.entries(definition.commands ?? {}).map(([path, command]) => describeAdded(path, command, name)),
  );
  const sections = [...own, ...added].map(({ usage, description, rows }) =>
    [
      `## \`plinth ${usage}\``,
      `${description.charAt(0).toUpperCase()}${description.slice(1)}.`,
      rows.length > 0 && tableOf(["option", "what"], rows),
    ]
      .filter(Boolean)
      .join("\n\n"),
  );
  return page("The command line", [
    "In the folder of an app, after `npx`. `plinth --help` lists what there is, commands of your own plugins and app",
    "included; `plinth <command> --help` what one takes. `--debug` adds the stack to what failed.",
    "",
    sections.join("\n\n"),
  ]);
}

function leavesOf(command, parents) {
  const path = [...parents, command.name()];
  if (command.commands.length > 0) return command.commands.flatMap((inner) => leavesOf(inner, path));
  const args = command.registeredArguments.map((argument) => bracketed(argument));
  return [
    {
      usage: [...path, ...args].join(" "),
      description: command.description(),
      rows: command.options.map((option) => [`\`${option.flags}\``, optionText(option)]),
    },
  ];
}

function bracketed(argument) {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function optionText({ description, argChoices, defaultValue }) {
  const choices = argChoices ? ` (${argChoices.map((choice) => `\`${choice}\``).join(", ")})` : "";
  const value = typeof defaultValue === "string" ? `; default \`${defaultValue}\`` : "";
  return `${description}${choices}${value}`;
}

function describeAdded(path, { description, arguments: args = [], options = {}, required = [] }, owner) {
  return {
    usage: [path, ...args].join(" "),
    description: owner === "core-commands" ? description : `${description}; of the plugin ${owner}`,
    rows: Object.entries(options).map(([flags, text]) => [
      `\`${flags}\``,
      required.includes(flags) ? `${text}; needed` : text,
    ]),
  };
}
