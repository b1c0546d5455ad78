import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Names the slowest files, and ends the run with one plain line that any reader of a build log understands. Lists the failed
 * files in the file that FAILED_FILES names, one on a line, unless there was an error outside a test.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errorsOutsideTests: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const slowest = modules.toSorted((left, right) => secondsOf(right) - secondsOf(left)).slice(0, 10);
    if (modules.length > slowest.length) {
      console.log('The slowest files, in seconds:');
      for (const module of slowest) {
        console.log(`${secondsOf(module).toFixed(1).padStart(7)}  ${pathOf(module)}`);
      }
    }
    console.log(`tests: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
    if (process.env.FAILED_FILES && errorsOutsideTests.length === 0) {
      const failed = modules.filter((module) => module.state() === 'failed').map(pathOf);
      writeFileSync(process.env.FAILED_FILES, failed.join('\n'));
    }
  }
}

function secondsOf(module: TestModule): number {
  return module.diagnostic().duration / 1000;
}

function pathOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId);
}
