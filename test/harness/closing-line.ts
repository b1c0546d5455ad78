import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Names the slowest files, and ends the run with one plain line that any reader of a build log understands. Lists the
 * failed files in the file that FAILED_FILES names, one on a line. A file also failed when there was an error outside
 * its tests. Without a file for every error there is no list.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errorsOutsideTests: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const slowest = modules.toSorted((left, right) => secondsOf(right) - secondsOf(left)).slice(0, 10);
    if (modules.length > slowest.length) {
      console.log('The slowest files, in seconds:');
      for (const module of slowest) {
        console.log(`${secondsOf(module).toFixed(1).padStart(7)}  ${relativePath(module.moduleId)}`);
      }
    }
    console.log(`tests: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
    listFailedFiles(modules, errorsOutsideTests);
  }
}

function listFailedFiles(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
  const { FAILED_FILES: list } = process.env;
  const failed = modules.filter((module) => module.state() === 'failed').map(({ moduleId }) => moduleId);
  const withErrors = errors.map((error) => error.VITEST_TEST_PATH);
  if (list === undefined || !withErrors.every((path) => typeof path === 'string')) return;
  writeFileSync(list, [...new Set([...failed, ...withErrors])].map(relativePath).join('\n'));
}

function secondsOf(module: TestModule): number {
  return module.diagnostic().duration / 1000;
}

function relativePath(path: string): string {
  return relative(process.cwd(), path);
}
