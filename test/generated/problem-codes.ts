/** The kinds and codes with which source text makes errors. */
import ts from 'typescript';
import type { TextFile } from '../house/repository.js';

export interface CodeUse {
  readonly where: string;
  /** Undefined where it is not written out. */
  readonly kind: string | undefined;
  readonly code: string | undefined;
}

export function codesIn(file: TextFile): CodeUse[] {
  const tree = parse(file);
  return nodesOf(tree)
    .filter((node) => ts.isNewExpression(node) && node.expression.getText(tree) === 'RemesaError')
    .flatMap((node) => {
      const [kind, code] = (node as ts.NewExpression).arguments ?? [];
      const where = `${file.path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`;
      return textsOf(code).map((text) => ({ where, kind: textsOf(kind)[0], code: text }));
    });
}

export function literalsIn(file: TextFile): string[] {
  return nodesOf(parse(file))
    .filter((node) => ts.isStringLiteral(node))
    .map((node) => node.text);
}

function parse({ path, text }: TextFile): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
}

function nodesOf(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [node];
  ts.forEachChild(node, (child) => {
    found.push(...nodesOf(child));
  });
  return found;
}

function textsOf(node: ts.Expression | undefined): (string | undefined)[] {
  if (node && ts.isStringLiteralLike(node)) return [node.text];
  if (node && ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  return [undefined];
}
