/**
 * The programs that tests and the service start, each bundled with the modules that it shares with the others. Node
 * takes three times as long to load a service from its thousand modules, and a run starts some hundreds of programs.
 */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Started by the service itself, which looks for them beside the module that starts them. */
const programsOfTheService = ['src/documents/checker/program.ts'];
const starters = ['src/documents/checker-process.ts'];
/** Packages that load files of their own. */
const external = ['@node-rs/argon2', 'pino', '@img/*', 'ssh2-sftp-client'];
/** Packages in CommonJS ask for the modules of Node. */
const requireOfCommonJs = `import * as nodeModule from 'node:module'; const require = nodeModule.createRequire(import.meta.url);`;
/** Node 20 has none, and `pg` then looks for Cloudflare by loading `fetch`, which takes a tenth of a start. */
const navigatorOfNode21 = `globalThis.navigator ??= { userAgent: 'Node.js' };`;

/** Where the programs of this run are; only for the process that runs the tests, which tells its workers. */
export const programFolder = join(root, 'test-output', `programs-${process.pid}`);

export async function bundlePrograms(folder: string): Promise<void> {
  await build({
    entryPoints: ['src/main.ts', ...programsOfTheService, ...programsOfTests()].map((file) => join(root, file)),
    outdir: folder,
    outbase: root,
    bundle: true,
    splitting: true,
    external,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: `${requireOfCommonJs}\n${navigatorOfNode21}` },
    plugins: [keepAddresses(folder)],
    logLevel: 'error',
  });
}

/** Modules find files by their own address, which bundling would change. */
export function keepAddresses(folder: string): Plugin {
  return {
    name: 'keep addresses',
    setup({ onLoad }) {
      onLoad({ filter: /[/\\](src|test)[/\\].*\.tsx?$/ }, async ({ path }) => ({
        contents: withAddress(await readFile(path, 'utf8'), path, folder),
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      }));
    },
  };
}

/**
 * The text of a module, with its address in it: for a module that starts a program, as if it were beside the bundle.
 */
function withAddress(text: string, path: string, folder: string): string {
  const file = relative(root, path);
  const address = starters.includes(file) ? join(folder, file.replace(/\.ts$/, '.js')) : path;
  return text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(address).href));
}

/** For Vitest: a service inside a test starts the bundled programs too. */
export const startsBundledPrograms = {
  name: 'start bundled programs',
  enforce: 'pre' as const,
  transform(text: string, path: string): string | undefined {
    return starters.includes(relative(root, path)) ? withAddress(text, path, programFolder) : undefined;
  },
};

function programsOfTests(): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^programs[/\\][^/\\]+\.ts$|-program\.ts$/.test(file))
    .map((file) => join('test', file));
}

/** The arguments of Node that run a program, named by its TypeScript file below the root. */
export function nodeArguments(file: string, folder: string): string[] {
  if (folder === '') return ['--import', 'tsx', join(root, file)];
  return [join(folder, file.replace(/\.ts$/, '.js'))];
}
