// `npm run lock`: adds to package-lock.json the optional packages of platforms that the machine at hand, or the
// registry it uses, left out. npm writes only what it could look up, and `npm ci` refuses a lock file with a gap.
import { readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];
const libraries = { gnu: 'glibc', musl: 'musl', gnueabihf: 'glibc', musleabihf: 'musl' };

/** The entries that `npm ci` would miss, by their path in the lock file. */
export function missingEntries(lock) {
  const missing = new Map();
  for (const [parentPath, parent] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
      const found = resolve(lock.packages, parentPath, name);
      if (found && satisfies(found.version, range)) continue;
      const path = `${found ? `${parentPath}/` : ''}node_modules/${name}`;
      missing.set(path, entryOf(name, range, parent.dev === true));
    }
  }
  return missing;
}

/** The lock file with nothing missing, sorted as npm sorts it. */
export function complete(lock) {
  const packages = { ...lock.packages, ...Object.fromEntries(missingEntries(lock)) };
  const sorted = Object.entries(packages).sort(([left], [right]) => left.localeCompare(right, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

/** As Node resolves a package: from the folder of the parent upwards. */
function resolve(packages, folder, name) {
  const found = packages[posix.join(folder, 'node_modules', name)];
  if (found || folder === '') return found;
  return resolve(packages, folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1)), name);
}

/** Platform packages are pinned to one version, or to one major version. */
function satisfies(version, range) {
  return /^[~^]/.test(range) ? major(version) === major(range.slice(1)) : version === range;
}

function major(version) {
  return version.split('.')[0];
}

function entryOf(name, range, isDev) {
  const words = name.split('/').at(-1).replace('windows', 'win32').split('-');
  const os = words.filter((word) => systems.includes(word));
  const cpu = words.filter((word) => processors.includes(word));
  const libc = words.flatMap((word) => libraries[word] ?? []);
  if (os.length === 0 || cpu.length === 0)
    throw new Error(
      `${name} is missing in package-lock.json, and its name does not say which platform it is for.`,
    );
  return {
    version: range.replace(/^[~^]/, ''),
    cpu,
    ...(isDev ? { dev: true } : {}),
    ...(libc.length > 0 ? { libc } : {}),
    optional: true,
    os,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const added = missingEntries(lock).size;
  if (added > 0) writeFileSync(file, `${JSON.stringify(complete(lock), null, 2)}\n`);
  console.log(
    added > 0 ? `Added ${added} optional packages of other platforms.` : 'The lock file is complete.',
  );
}
