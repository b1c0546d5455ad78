/** Test programs as JavaScript, next to the compiled service: starting one from TypeScript takes three times as long. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const setup = new URL('../../scripts/setup.mjs', import.meta.url).href;
const source = join(root, 'src') + sep;

/**
 * The folder of the compiled programs, or an empty text when `dist` is missing or older than the sources. `npm test` builds
 * before it begins; a run of a few files in an editor does not, and starts its programs from TypeScript.
 */
export async function compilePrograms(folder: string): Promise<string> {
  const { isBuilt } = (await import(setup)) as { isBuilt: () => boolean };
  if (!isBuilt()) return '';
  const { default: typescript } = await import('typescript');
  const files = programFiles();
  const known = new Set(files);
  // The set grows while it is walked: imports of imports are compiled too.
  for (const file of known) {
    const { outputText } = typescript.transpileModule(readFileSync(file, 'utf8'), {
      compilerOptions: { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2023 },
    });
    const text = outputText.replaceAll(/(\bfrom |\bimport )'(\.[^']+)\.js'/g, (_, before, specifier) => {
      const path = resolve(dirname(file), specifier);
      if (path.startsWith(source)) return `${before}'${compiledSource(`${path}.js`)}'`;
      known.add(`${path}.ts`);
      return `${before}'${specifier}.js'`;
    });
    const target = join(folder, relative(root, file).replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return folder;
}

function programFiles(): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^programs[/\\][^/\\]+\.ts$|-program\.ts$/.test(file))
    .map((file) => join(root, 'test', file));
}

function compiledSource(path: string): string {
  return pathToFileURL(join(root, 'dist', path.slice(source.length))).href;
}

/** The arguments of Node that run a program, named by its TypeScript file below the root. */
export function nodeArguments(file: string, compiledPrograms: string): string[] {
  if (compiledPrograms === '') return ['--import', 'tsx', join(root, file)];
  const compiled = file.replace(/\.ts$/, '.js');
  return [
    file.startsWith('src/') ? join(root, compiled.replace(/^src/, 'dist')) : join(compiledPrograms, compiled),
  ];
}
