/** Small readings of the trees that PostgreSQL's own parser gives. */
import type { ColumnRef, Node } from 'libpg-query';

/** Walks a tree, outermost first. Where `enter` answers false, what is inside is left to the caller. */
export function walk(tree: unknown, enter: (kind: string, node: object) => boolean): void {
  if (typeof tree !== 'object' || tree === null) return;
  for (const [kind, child] of Object.entries(tree)) {
    if (Array.isArray(child)) for (const item of child) walk(item, enter);
    else if (typeof child === 'object' && child !== null && enter(kind, child)) walk(child, enter);
  }
}

/** Every node of a kind at any depth, nested queries included. */
export function allOf<Found extends object>(tree: unknown, wanted: string): Found[] {
  const found: Found[] = [];
  walk(tree, (kind, node) => {
    if (kind === wanted) found.push(node as Found);
    return true;
  });
  return found;
}

/** The node's content where it is of that kind: `only(node, 'RangeVar')`. */
export function only<Content extends object>(node: Node | undefined, kind: string): Content | undefined {
  return node && kind in node ? (node as unknown as Record<string, Content>)[kind] : undefined;
}

/** The texts of a list of names, as PostgreSQL folded them; a star is left out. */
export function names(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => {
    const text = only<{ sval?: string }>(node, 'String')?.sval;
    return text === undefined ? [] : [text];
  });
}

/** `o.merchant_id` and `o.merchant_id::text` are both read as the column. */
export function columnPath(node: Node | undefined): string[] | undefined {
  const cast = only<{ arg?: Node }>(node, 'TypeCast');
  if (cast) return columnPath(cast.arg);
  const column = only<ColumnRef>(node, 'ColumnRef');
  return column && names(column.fields);
}
