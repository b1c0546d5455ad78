/** What a paper says about the repository, taken out of its Markdown so that it can be held against the truth. */
import { dirname, join, normalize } from 'node:path';
import type { TextFile } from './repository.js';

const folders = 'src|test|docs|scripts|migrations|bench|web|bin|\\.ci';
const pathSpan = new RegExp(`^(\\./)?(${folders})/[^\\s]*$`);
const fileSpan = /^\.?[\w-][\w.-]*\.(md|json|ts|mjs|cjs|sql|example)$|^\.(gitignore|npmrc)$/;

/** The code spans of the running text; fenced blocks are left out. */
export function codeSpans({ text }: TextFile): string[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
}

/** Paths from the root. Of a pattern (`docs/decisions/*.md`, `src/<room>/store.ts`) the part before it counts. */
export function namedPaths(paper: TextFile): string[] {
  return codeSpans(paper)
    .filter((span) => pathSpan.test(span))
    .map((span) => span.replace(/^\.\//, '').replace(/[#:]\w+$/, ''))
    .map((path) => (/[*<{…]/.test(path) ? path.replace(/[^/]*[*<{…].*$/, '') : path));
}

/** Files named without their folder, such as `.env.example` or `store.ts`. */
export function namedFiles(paper: TextFile): string[] {
  return codeSpans(paper).filter((span) => fileSpan.test(span));
}

/** The targets of relative links, as paths from the root. */
export function linkedPaths({ path, text }: TextFile): string[] {
  const targets = [...text.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)/gm)];
  return targets
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((target) => !/^([a-z]+:|#|\/\/)/i.test(target))
    .map((target) => normalize(join(dirname(path), decodeURI(target.replace(/[#?].*$/, '')))));
}

/** The rows of the table of duties: where each is done, and the tests that prove it. */
export function duties({ text }: TextFile) {
  const [, table = ''] = text.split('\n## Duties\n');
  const rows = (table.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| (?!Duty )/.test(line));
  return rows.map((row) => ({
    duty: row.split('|')[1]?.trim() ?? '',
    paths: [...row.matchAll(/`([\w./-]+)`/g)].map((match) => match[1] ?? ''),
    tests: [...row.matchAll(/`(test\/[^`]+)`: "([^"]+)"/g)].map(([, path = '', name = '']) => ({ path, name })),
  }));
}

export function npmScripts({ text }: TextFile): string[] {
  const calls = [...text.matchAll(/\bnpm (?:run(?:-script)? (?:-s |--silent )?([\w:-]+)|(test|start)\b)/g)];
  return calls.map((match) => match[1] ?? match[2] ?? '');
}

export function remesaCommands({ text }: TextFile): string[] {
  const calls = [...text.matchAll(/(?:npm run (?:-s |--silent )?remesa -- |\.\/bin\/remesa )([a-z][\w-]*)/g)];
  return calls.map((match) => match[1] ?? '');
}

/** `NAME_OF_IT` and `NAME=value`; single words without a value are too often something else. */
export function settingLikeNames(paper: TextFile): string[] {
  return codeSpans(paper).flatMap((span) => {
    const [, name, value] = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)(=\S*)?$/.exec(span) ?? [];
    return name !== undefined && (value !== undefined || name.includes('_')) ? [name] : [];
  });
}

/** The names of commander's `.command('name <argument>')`. */
export function declaredCommands(files: readonly TextFile[]): string[] {
  return files.flatMap(({ text }) =>
    [...text.matchAll(/(?:\.command|new Command)\(\s*['"`]([a-z][\w-]*)/g)].map((match) => match[1] ?? ''),
  );
}

/** What a shell script runs, without its preparations. */
export function shellCommands(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(#|set |cd )/.test(line))
    .map((line) => line.replace(/^exec /, ''));
}
