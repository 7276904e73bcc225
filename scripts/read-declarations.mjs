// Reads the declaration files that the compiler writes: what a module exports, declared where, and which types that mentions.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "./ensure-ready.mjs";

// The compiler of this repository has no stable API any more; the tests have the last version that has one.
const ts = createRequire(join(ROOT, "test", "package.json"))("typescript");
const printer = ts.createPrinter({ removeComments: true });

/** @typedef {{ file: string, name: string, nodes: import("typescript").Statement[] }} Declaration one name in one file; overloads share it */
/** @typedef {{ file: string, name: string }} Place a name in a file, declared there or handed on */

/** Declaration files by path, parsed once. */
export class Declarations {
  #modules = new Map();

  /**
   * What a module exports.
   *
   * @param {string} file - of a declaration file
   * @returns {Map<string, Declaration | string>} by exported name, in order of names; a text names a module of another package
   */
  exportsOf(file) {
    const found = new Map();
    const { exported, stars } = this.#read(file);
    for (const star of stars) if (isPath(star)) for (const [name, one] of this.exportsOf(star)) found.set(name, one);
    for (const [name, place] of exported) found.set(name, this.#follow(place));
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * The declarations of this package that a declaration mentions.
   *
   * @param {Declaration} declaration
   * @returns {Declaration[]}
   */
  mentionedBy({ file, nodes }) {
    const mentions = nodes.flatMap((node) => mentionsIn(node, file));
    const places = mentions.filter((place) => isPath(place.file) && this.#isKnown(place));
    const found = places.map((place) => this.#follow(place));
    return found.filter((one) => typeof one !== "string");
  }

  /** Declarations that a file adds to other modules, as TypeScript writes them. */
  augmentationsIn(file) {
    return this.#read(file).augmentations.map((node) => printer.printNode(4, node, node.getSourceFile()));
  }

  /** Files that a file imports or hands on, of the same package. */
  importsOf(file) {
    const { imported, exported, stars } = this.#read(file);
    const places = [...imported.values(), ...exported.values()].map((place) => place.file);
    return [...new Set([...places, ...stars])].filter((path) => isPath(path) && path !== file);
  }

  #isKnown({ file, name }) {
    const { declared, imported, exported } = this.#read(file);
    return [declared, imported, exported].some((names) => names.has(name));
  }

  /** From a place to the declaration, through as many modules as hand it on. */
  #follow({ file, name }) {
    if (!isPath(file)) return file;
    const { declared, imported, exported, stars } = this.#read(file);
    if (declared.has(name)) return { file, name, nodes: declared.get(name) };
    const next = exported.get(name) ?? imported.get(name);
    if (next) return this.#follow(next);
    const star = stars.find((path) => isPath(path) && this.exportsOf(path).has(name));
    return star ? this.#follow({ file: star, name }) : file;
  }

  #read(file) {
    if (!this.#modules.has(file)) this.#modules.set(file, readModule(file));
    return this.#modules.get(file);
  }
}

/** A declaration without comments and private members. */
export function printDeclaration({ nodes }) {
  return nodes.map((node) => printer.printNode(4, withoutPrivate(node), node.getSourceFile())).join("\n");
}

function withoutPrivate(node) {
  if (!ts.isClassDeclaration(node)) return node;
  const isPublic = (member) =>
    !(member.name && ts.isPrivateIdentifier(member.name)) &&
    !ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  const { modifiers, name, typeParameters, heritageClauses, members } = node;
  const publicMembers = members.filter(isPublic);
  return ts.factory.updateClassDeclaration(node, modifiers, name, typeParameters, heritageClauses, publicMembers);
}

const isPath = (text) => text.endsWith(".d.ts");

function readModule(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const module = { file, declared: new Map(), imported: new Map(), exported: new Map(), stars: [], augmentations: [] };
  for (const statement of source.statements) readStatement(module, statement);
  return module;
}

function readStatement(module, statement) {
  if (ts.isImportDeclaration(statement)) readImport(module, statement);
  else if (ts.isExportDeclaration(statement)) readExport(module, statement);
  else if (ts.isModuleDeclaration(statement) && !ts.isIdentifier(statement.name)) module.augmentations.push(statement);
  else for (const name of declaredNames(statement)) declare(module, name, statement);
}

function declare(module, name, statement) {
  module.declared.set(name, [...(module.declared.get(name) ?? []), statement]);
  const isExported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const isDefault = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
  if (isExported) module.exported.set(isDefault ? "default" : name, { file: module.file, name });
}

function declaredNames(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.text);
  return statement.name ? [statement.name.text] : [];
}

function readImport(module, { importClause, moduleSpecifier }) {
  const from = targetOf(module.file, moduleSpecifier.text);
  const named = importClause?.namedBindings;
  if (importClause?.name) module.imported.set(importClause.name.text, { file: from, name: "default" });
  if (!named) return;
  if (ts.isNamespaceImport(named)) return void module.imported.set(named.name.text, { file: from, name: "*" });
  for (const { name, propertyName } of named.elements)
    module.imported.set(name.text, { file: from, name: (propertyName ?? name).text });
}

function readExport(module, { exportClause, moduleSpecifier }) {
  const from = moduleSpecifier ? targetOf(module.file, moduleSpecifier.text) : module.file;
  if (!exportClause) return void module.stars.push(from);
  for (const { name, propertyName } of exportClause.elements ?? [])
    module.exported.set(name.text, { file: from, name: (propertyName ?? name).text });
}

/** The declaration file of a relative specifier; any other specifier as it is. */
const targetOf = (file, specifier) =>
  specifier.startsWith(".") ? join(dirname(file), specifier.replace(/\.js$/, ".d.ts")) : specifier;

/**
 * Where to look for what a declaration mentions. Names of its own type parameters are among them; those have no
 * declaration.
 */
function mentionsIn(node, file) {
  const found = [];
  const visit = (child) => {
    const name = nameIn(child);
    if (name) found.push({ file, name: leftmost(name) });
    if (ts.isImportTypeNode(child) && child.qualifier)
      found.push({ file: targetOf(file, child.argument.literal.text), name: leftmost(child.qualifier) });
    ts.forEachChild(child, visit);
  };
  visit(node);
  return found;
}

function nameIn(node) {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isTypeQueryNode(node)) return node.exprName;
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined;
}

function leftmost(name) {
  if (ts.isQualifiedName(name)) return leftmost(name.left);
  return ts.isPropertyAccessExpression(name) ? leftmost(name.expression) : name.text;
}
