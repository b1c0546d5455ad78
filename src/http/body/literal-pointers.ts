// Declares which numbers of a body are kept as they were written. A route names them by JSON pointers, in which `*`
// stands for every index of an array or every key of an object: `/amountIn`, `/kycBands/*/upTo`.

/** The pointers as a tree: each node is a field or an element of the body. */
export interface LiteralPointers {
  /** A number at this node is kept as text. */
  isLiteral: boolean;
  readonly children: Map<string, LiteralPointers>;
}

/** Undefined when there are no pointers. */
export function literalPointers(pointers: readonly string[]): LiteralPointers | undefined {
  if (pointers.length === 0) return undefined;
  const root: LiteralPointers = { isLiteral: false, children: new Map() };
  for (const pointer of pointers) {
    let node = root;
    for (const name of pointer.split('/').slice(1)) {
      const child = node.children.get(name) ?? { isLiteral: false, children: new Map() };
      node.children.set(name, child);
      node = child;
    }
    node.isLiteral = true;
  }
  return root;
}

/** Returns the node for a key or an index; undefined when no pointer leads there. */
export function childOf(node: LiteralPointers, name: string | number): LiteralPointers | undefined {
  return (typeof name === 'string' ? node.children.get(name) : undefined) ?? node.children.get('*');
}
