/**
 * The modules of the service, compiled once for a run and loaded by Node itself. Through Vite they take several times
 * as long to load, in every worker, and they run slower.
 */
import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { keepAddresses, programFolder, root } from './programs.js';

const sources = join(root, 'src');
const folder = join(programFolder, 'modules');

export async function compileSources(): Promise<void> {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  await build({
    entryPoints: files.filter((file) => /\.tsx?$/.test(file)).map((file) => join(sources, file)),
    outdir: folder,
    outbase: sources,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    plugins: [keepAddresses(programFolder)],
    logLevel: 'error',
  });
}

/** For Vitest: what a test imports from `src/` is the compiled module. */
export const importsCompiledSources = {
  name: 'import compiled sources',
  enforce: 'pre' as const,
  resolveId(name: string, importer: string | undefined): string | undefined {
    if (importer === undefined || !name.startsWith('.')) return undefined;
    const file = resolve(dirname(importer), name);
    return file.startsWith(sources + sep) ? join(folder, relative(sources, file)) : undefined;
  },
};
