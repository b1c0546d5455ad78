/** Finds every `statement(name, text)` of the source, and every SQL text that hides from it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { numberValues } from '../../../src/postgres/statement.js';
import { looksLikeSql } from './looks-like-sql.js';

export interface SourceStatement {
  readonly name: string;
  /** With positions instead of names, as the server takes it. */
  readonly sql: string;
  readonly where: string;
  /** The names that the part before the dot may have: those of the folders below `src/`, or the file's. */
  readonly rooms: readonly string[];
}

export interface SourceStatements {
  readonly statements: readonly SourceStatement[];
  readonly faults: readonly string[];
}

/** Administrative SQL of a server that we start ourselves; it has no tenant tables. */
const administrativeFolder = 'src/postgres/embedded/';
const definingFile = 'src/postgres/statement.ts';
/** Prints SQL for an operator and runs none. */
const printingFile = 'src/postgres/citus/plan.ts';

const known = new Map<string, SourceStatements>();

/** The test files of a worker share the result: it takes two seconds. */
export function sourceStatements(root: string): SourceStatements {
  const statements = known.get(root) ?? readStatements(root);
  known.set(root, statements);
  return statements;
}

function readStatements(root: string): SourceStatements {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`)
    .filter((file) => file !== definingFile && file !== printingFile && !file.startsWith(administrativeFolder))
    .sort();
  const textOf: TextOf = (file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined);
  const found = files.map((file) => statementsOf(file, textOf(file) ?? '', textOf));
  return {
    statements: found.flatMap((part) => part.statements),
    faults: found.flatMap((part) => part.faults),
  };
}

/** The text of a source file, for constants that another file imports from it. */
type TextOf = (file: string) => string | undefined;

export function statementsOf(file: string, text: string, textOf: TextOf = () => undefined): SourceStatements {
  return new FileReader(file, text, textOf).read();
}

class FileReader {
  readonly #statements: SourceStatement[] = [];
  readonly #faults: string[] = [];
  readonly #constants = new Map<string, ts.Expression>();
  /** The literals that a statement is made of: these are read, all others must not be SQL. */
  readonly #used = new Set<ts.Node>();
  readonly #source: ts.SourceFile;

  constructor(
    readonly file: string,
    text: string,
    readonly textOf: TextOf,
  ) {
    this.#source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  }

  read(): SourceStatements {
    this.#collectConstants();
    const localNames = this.#source.statements.flatMap((node) => this.#importedName(node));
    this.#visit(this.#source, (node) => this.#readCall(node, localNames));
    this.#visit(this.#source, (node) => this.#refuseHiddenSql(node));
    return { statements: this.#statements, faults: this.#faults };
  }

  /** The text of a constant of this file, for a file that imports it. */
  constantText(name: string): string | undefined {
    this.#collectConstants();
    const constant = this.#constants.get(name);
    return constant && this.#textOf(constant);
  }

  #collectConstants(): void {
    for (const node of this.#source.statements) {
      if (!ts.isVariableStatement(node) || !(node.declarationList.flags & ts.NodeFlags.Const)) continue;
      for (const { name, initializer } of node.declarationList.declarations) {
        if (ts.isIdentifier(name) && initializer) this.#constants.set(name.text, initializer);
      }
    }
  }

  /** What this file calls `statement`; anything but a plain import by name is refused. */
  #importedName(node: ts.Statement): string[] {
    if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return [];
    const from = node.moduleSpecifier;
    if (!from || !ts.isStringLiteral(from)) return [];
    if (resolve('/', dirname(this.file), from.text) !== '/src/postgres/statement.js') return [];
    const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined;
    if (!bindings || !ts.isNamedImports(bindings)) {
      this.#fault(node, 'import statement by its name, and from where it is defined');
      return [];
    }
    const elements = bindings.elements.filter((element) => (element.propertyName ?? element.name).text === 'statement');
    return elements.map((element) => element.name.text);
  }

  #readCall(node: ts.Node, localNames: readonly string[]): void {
    if (!ts.isIdentifier(node) || !localNames.includes(node.text) || ts.isImportSpecifier(node.parent)) return;
    const call = node.parent;
    if (!ts.isCallExpression(call) || call.expression !== node) {
      if (!isOwnName(node)) this.#fault(node, 'statement may only be called');
      return;
    }
    const [name, text] = call.arguments.map((argument) => this.#textOf(argument));
    if (name === undefined || text === undefined) this.#fault(call, "SQL that can't be read");
    else if (/\$\d/.test(text)) this.#fault(call, 'a value without a name');
    else this.#add(name, numberValues(text).positional, call);
  }

  #add(name: string, sql: string, node: ts.Node): void {
    const rooms = [...dirname(this.file).split('/').slice(1), basename(this.file, '.ts')];
    this.#statements.push({ name, sql, where: this.#place(node), rooms });
  }

  /** The value of a literal, of a concatenation of literals and of constants, also imported ones; else undefined. */
  #textOf(node: ts.Expression): string | undefined {
    if (ts.isStringLiteralLike(node)) {
      this.#used.add(node);
      return node.text;
    }
    if (ts.isTemplateExpression(node)) return this.#templateText(node);
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return this.#textOf(node.expression);
    if (ts.isIdentifier(node)) {
      const constant = this.#constants.get(node.text);
      return constant ? this.#textOf(constant) : this.#importedText(node.text);
    }
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
    return concatenated([this.#textOf(node.left), this.#textOf(node.right)]);
  }

  #importedText(localName: string): string | undefined {
    for (const node of this.#source.statements) {
      if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) continue;
      const bindings = node.importClause?.namedBindings;
      if (!bindings || !ts.isNamedImports(bindings)) continue;
      const imported = bindings.elements.find(({ name }) => name.text === localName);
      if (!imported) continue;
      const path = resolve('/', dirname(this.file), node.moduleSpecifier.text);
      const file = path.slice(1).replace(/\.js$/, '.ts');
      const text = this.textOf(file);
      const name = (imported.propertyName ?? imported.name).text;
      return text === undefined ? undefined : new FileReader(file, text, this.textOf).constantText(name);
    }
    return undefined;
  }

  #templateText(node: ts.TemplateExpression): string | undefined {
    this.#used.add(node);
    const spans = node.templateSpans.flatMap((span) => [this.#textOf(span.expression), span.literal.text]);
    return concatenated([node.head.text, ...spans]);
  }

  #refuseHiddenSql(node: ts.Node): void {
    if (this.#used.has(node)) return;
    const text = literalText(node);
    if (text !== undefined && looksLikeSql(text)) this.#fault(node, 'SQL outside of statement(…)');
  }

  #visit(node: ts.Node, see: (node: ts.Node) => void): void {
    see(node);
    ts.forEachChild(node, (child) => this.#visit(child, see));
  }

  #fault(node: ts.Node, message: string): void {
    this.#faults.push(`${this.#place(node)}: ${message}`);
  }

  #place(node: ts.Node): string {
    return `${this.file}:${this.#source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  }
}

/** A property or a parameter that happens to have the name is something else. */
function isOwnName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent) || ts.isExportSpecifier(parent)) return false;
  return (parent as { name?: ts.Node }).name === node;
}

function concatenated(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** What is put into a template stands as a name, so that `UPDATE ${table} SET` still reads as SQL. */
function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map((span) => `x${span.literal.text}`).join('');
}
