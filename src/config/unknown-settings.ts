/**
 * Finds misspelt settings, because a name that is silently ignored looks like one that works. Every name in `.env` must
 * be a setting. The environment has many names that are not ours, so there only a name close to a setting is a fault.
 */
interface KnownSetting {
  readonly secret: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter names resemble ordinary variables too much: HOSTS, MODES, or the REMESA_PORT of a container link. */
const minComparedLength = 6;
/** From this length on, two letters may be wrong; in shorter names one. */
const longNameLength = 9;

export function unknownSettings(
  { environment, file }: { environment: Environment; file: Environment },
  settings: Readonly<Record<string, KnownSetting>>,
): string[] {
  const known = knownNames(settings);
  const inFile = unknownIn(file, known).map((name) => {
    const nearest = nearestName(name, known);
    return `${name} in .env is not a setting${nearest ? `; did you mean ${nearest}?` : ' (.env.example lists all of them)'}`;
  });
  const compared = known.filter((name) => spelling(name).length >= minComparedLength);
  const inEnvironment = unknownIn(environment, known).flatMap((name) => {
    const nearest = environment[name] && !(name in file) ? nearestName(name, compared) : undefined;
    return nearest ? [`${name} is not a setting; did you mean ${nearest}?`] : [];
  });
  return [...inFile, ...inEnvironment];
}

function knownNames(settings: Readonly<Record<string, KnownSetting>>): string[] {
  return Object.entries(settings).flatMap(([name, { secret }]) => (secret ? [name, `${name}_FILE`] : [name]));
}

function unknownIn(environment: Environment, known: readonly string[]): string[] {
  return Object.keys(environment).filter((name) => !known.includes(name));
}

/** The setting that was probably meant. Undefined when the name is not close to any. */
function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const letters = spelling(name);
  // Only secrets may be files, so PORT_FILE was meant as PORT.
  const withoutFile = letters.replace(/FILE$/, '');
  return (
    candidates.find((candidate) => spelling(candidate) === letters) ??
    closest(letters, candidates) ??
    candidates.find((candidate) => spelling(candidate) === withoutFile)
  );
}

function closest(letters: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((name) => ({ name, distance: editDistance(letters, spelling(name)) }))
    .filter(({ name, distance }) => distance <= (spelling(name).length >= longNameLength ? 2 : 1))
    .sort((left, right) => left.distance - right.distance);
  return best?.name;
}

/** The letters to compare: names that differ only in case, separators or the prefix REMESA are the same. */
function spelling(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replace(/^REMESA/, '');
}

/** The number of letters that must be added, removed, changed, or swapped with their neighbour. */
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
