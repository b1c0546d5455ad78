/** Folders of one room that import each other, directly or by way of further folders of the room. Pure. */
import { posix } from 'node:path';
import type { TextFile } from './repository.js';

/** Returns each circle as the names of its folders, such as `rates/board rates/sources`. */
export function folderCircles(files: readonly TextFile[]): string[] {
  const imported = importsBetweenFolders(files);
  const reached = new Map([...imported.keys()].map((folder) => [folder, reachedFrom(folder, imported)]));
  const circles = [...reached].map(([folder, targets]) =>
    targets.has(folder) ? [...targets].filter((other) => reached.get(other)?.has(folder)) : [],
  );
  return [...new Set(circles.map((folders) => folders.sort().join(' ')))].filter((circle) => circle !== '');
}

function importsBetweenFolders(files: readonly TextFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const imported = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const from = folderOf(path);
    if (from === undefined) continue;
    for (const [, name = ''] of text.matchAll(/\bfrom '(\.[^']+)'/g)) {
      const to = folderOf(posix.join(posix.dirname(path), name));
      if (to === undefined || to === from || roomOf(to) !== roomOf(from)) continue;
      imported.set(from, (imported.get(from) ?? new Set()).add(to));
    }
  }
  return imported;
}

function reachedFrom(folder: string, imported: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const visit = (from: string) => {
    for (const to of imported.get(from) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      visit(to);
    }
  };
  visit(folder);
  return reached;
}

/** `rates/board` for `src/rates/board/guard.ts`. Undefined for files of the room itself: they may import any folder. */
function folderOf(path: string): string | undefined {
  return /^src\/([^/]+\/[^/]+)\//.exec(path)?.[1];
}

function roomOf(folder: string): string | undefined {
  return folder.split('/')[0];
}
