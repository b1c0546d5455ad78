/** Redocly's linter on a document, without a word to anyone outside. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../harness/new-folder.js';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../..', import.meta.url));
const silence = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
};

interface LintReport {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

/** What it has to say, one line each; warnings count too. */
export function lintFaults(document: object): string[] {
  const file = join(newFolder(), 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const program = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  const run = spawnSync(process.execPath, [program, 'lint', file, '--config', 'redocly.yaml', '--format=json'], {
    cwd: root,
    env: { ...process.env, ...silence },
    encoding: 'utf8',
  });
  if (!run.stdout.trim().startsWith('{')) throw new Error(`The linter failed: ${run.stderr}`);
  const { problems } = JSON.parse(run.stdout) as LintReport;
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
}
