/**
 * Finds misspelt settings: a name that is ignored silently looks like one that works. Everything in `.env` must be
 * a setting; in the environment, which holds much that is not ours, only a name that is nearly one of ours is a fault.
 */
interface Known {
  readonly secret: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Names that are shorter are too close to ordinary ones: HOSTS and MODES are not ours, nor is a link's REMESA_PORT. */
const shortestGuarded = 6;
/** From this length on two letters may be wrong, before that one. */
const longName = 9;

export function unknownSettings(
  { own, file }: { own: Environment; file: Environment },
  settings: Readonly<Record<string, Known>>,
): string[] {
  const known = knownNames(settings);
  const inFile = unknownIn(file, known).map((name) => {
    const nearest = nearestName(name, known);
    return `${name} in .env is not a setting${nearest ? `; did you mean ${nearest}?` : ' (.env.example lists all of them)'}`;
  });
  const guarded = known.filter((name) => spelling(name).length >= shortestGuarded);
  const inEnvironment = unknownIn(own, known).flatMap((name) => {
    const nearest = own[name] && !(name in file) ? nearestName(name, guarded) : undefined;
    return nearest ? [`${name} is not a setting; did you mean ${nearest}?`] : [];
  });
  return [...inFile, ...inEnvironment];
}

function knownNames(settings: Readonly<Record<string, Known>>): string[] {
  return Object.entries(settings).flatMap(([name, { secret }]) => (secret ? [name, `${name}_FILE`] : [name]));
}

function unknownIn(environment: Environment, known: readonly string[]): string[] {
  return Object.keys(environment).filter((name) => !known.includes(name));
}

/** The setting that was probably meant; undefined when the name is not close to any. */
function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = spelling(name);
  // Only secrets can be given as files, so a file of another setting is meant for the setting itself.
  const withoutFile = wanted.replace(/FILE$/, '');
  return (
    candidates.find((candidate) => spelling(candidate) === wanted) ??
    closest(wanted, candidates) ??
    candidates.find((candidate) => spelling(candidate) === withoutFile)
  );
}

function closest(wanted: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((name) => ({ name, distance: editDistance(wanted, spelling(name)) }))
    .filter(({ name, distance }) => distance <= (spelling(name).length >= longName ? 2 : 1))
    .sort((left, right) => left.distance - right.distance);
  return best?.name;
}

/** Case, separators and our own prefix do not tell two names apart. */
function spelling(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replace(/^REMESA/, '');
}

/** How many letters must be added, removed, changed, or swapped with their neighbour. */
function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= left.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      rows[row]?.push(
        Math.min(
          cell(row - 1, column) + 1,
          cell(row, column - 1) + 1,
          cell(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? cell(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return cell(left.length, right.length);
}
