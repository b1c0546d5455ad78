// Which numbers of a body are kept as they were written. A route declares them as JSON pointers in which `*` stands for
// every index of an array or every key of an object: `/amountIn`, `/kycBands/*/upTo`.

export interface LiteralPlace {
  /** A number that stands here is kept. */
  isNumber: boolean;
  readonly below: Map<string, LiteralPlace>;
}

export function literalPlaces(pointers: readonly string[]): LiteralPlace | undefined {
  if (pointers.length === 0) return undefined;
  const root: LiteralPlace = { isNumber: false, below: new Map() };
  for (const pointer of pointers) {
    let place = root;
    for (const name of pointer.split('/').slice(1)) {
      const next = place.below.get(name) ?? { isNumber: false, below: new Map() };
      place.below.set(name, next);
      place = next;
    }
    place.isNumber = true;
  }
  return root;
}

/** Where the declared pointers go on under this key or index; undefined when none does. */
export function placeOf(place: LiteralPlace, name: string | number): LiteralPlace | undefined {
  return (typeof name === 'string' ? place.below.get(name) : undefined) ?? place.below.get('*');
}
