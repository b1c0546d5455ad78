// `npm run lock` adds the optional packages of other platforms to package-lock.json. npm writes only the packages that
// it could look up on this machine, and `npm ci` refuses a lock file in which some are missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];
const libraries = { gnu: 'glibc', musl: 'musl', gnueabihf: 'glibc', musleabihf: 'musl' };

/** The entries that `npm ci` requires and the lock file lacks, by their path in it. */
export function missingEntries(lock) {
  const missing = new Map();
  for (const [parentPath, parent] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
      const existing = resolve(lock.packages, parentPath, name);
      if (existing && satisfies(existing.version, range)) continue;
      const path = `${existing ? `${parentPath}/` : ''}node_modules/${name}`;
      missing.set(path, entryOf(name, range, parent.dev === true));
    }
  }
  return missing;
}

/** The lock file with the missing entries added, sorted as npm sorts it. */
export function complete(lock) {
  const packages = { ...lock.packages, ...Object.fromEntries(missingEntries(lock)) };
  const sorted = Object.entries(packages).sort(([left], [right]) => left.localeCompare(right, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

/** Resolves a package as Node does, from the folder of the parent upwards. */
function resolve(packages, folder, name) {
  const entry = packages[posix.join(folder, 'node_modules', name)];
  if (entry || folder === '') return entry;
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
    throw new Error(`${name} is missing in package-lock.json, and its name does not contain its platform.`);
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
  console.log(added > 0 ? `Added ${added} optional packages of other platforms.` : 'The lock file is complete.');
}
