import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Names the slowest files, and ends the run with one plain line that any reader of a build log understands. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const slowest = modules.toSorted((left, right) => secondsOf(right) - secondsOf(left)).slice(0, 10);
    if (modules.length > slowest.length) {
      console.log('The slowest files, in seconds:');
      for (const module of slowest) {
        const file = relative(process.cwd(), module.moduleId);
        console.log(`${secondsOf(module).toFixed(1).padStart(7)}  ${file}`);
      }
    }
    console.log(`tests: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  }
}

function secondsOf(module: TestModule): number {
  return module.diagnostic().duration / 1000;
}
