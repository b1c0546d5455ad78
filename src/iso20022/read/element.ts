/** An element of a message with all that is in it, by names without prefix. Pure. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Without the blanks around it. */
  text: string;
  readonly children: XmlElement[];
  /** What became of children that were taken out as soon as they were complete, in their order. */
  readonly taken: unknown[];
  readonly line: number;
}

/** Thrown for what cannot be read as what it must be. The path leads from the record to the element. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';

  constructor(
    message: string,
    readonly path: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/** The first element at a path such as `Acct/Id/IBAN`. */
export function find(element: XmlElement, path: string): XmlElement | undefined {
  let found: XmlElement | undefined = element;
  for (const name of stepsOf(path)) {
    found = childOf(found, name);
    if (!found) return undefined;
  }
  return found;
}

/** The paths are those of the source, so that there are few. Splitting them anew took a tenth of the reading. */
const knownSteps = new Map<string, readonly string[]>();

function stepsOf(path: string): readonly string[] {
  const known = knownSteps.get(path);
  if (known) return known;
  const steps = path.split('/');
  knownSteps.set(path, steps);
  return steps;
}

function childOf({ children }: XmlElement, name: string): XmlElement | undefined {
  for (const child of children) if (child.name === name) return child;
  return undefined;
}

export function all(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The text at the first of the paths that has one. An element of blanks is none. */
export function textAt(element: XmlElement, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const text = find(element, path)?.text;
    if (text) return text;
  }
  return undefined;
}
