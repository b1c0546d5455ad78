/** Alarms and dashboard: they are valid, they fire when they should, and every metric in them exists. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dashboardExpressions } from '../generated/dashboard.js';
import { Api } from '../harness/api.js';
import { newFolder } from '../harness/new-folder.js';
import { root } from '../harness/programs.js';
import { useRemesa } from '../harness/remesa.js';
import { check, findTool, itWith } from './tools.js';

const folder = join(root, 'deploy/prometheus');
const rules = readFileSync(join(folder, 'alerts.yaml'), 'utf8');
const alerts = [...rules.matchAll(/- alert: (\w+)\n\s+expr: '(.*)'/g)].map(([, name = '', expression = '']) => ({
  name,
  expression,
}));
const promtool = findTool('promtool', 'prometheus');

describe('the alarms', () => {
  itWith(promtool, 'promtool')('are valid, and fire when they should and not before', () => {
    const rulesChecked = check(promtool as string, ['check', 'rules', 'alerts.yaml'], { cwd: folder });
    expect(rulesChecked).toMatchObject({ code: 0, output: expect.stringContaining(`${alerts.length} rules found`) });
    expect(check(promtool as string, ['test', 'rules', 'alerts.test.yaml'], { cwd: folder })).toMatchObject({
      code: 0,
    });
  });

  it('each have a test, and a section that says what to do', () => {
    const tests = readFileSync(join(folder, 'alerts.test.yaml'), 'utf8');
    const texts = readFileSync(join(root, 'docs/alarms.md'), 'utf8');
    expect(alerts.length).toBeGreaterThan(15);
    for (const { name } of alerts) {
      expect(tests, name).toContain(`alertname: ${name}\n`);
      expect(texts, name).toContain(`\n## ${name}\n`);
      expect(rules).toContain(`runbook_url: docs/alarms.md#${name.toLowerCase()}\n`);
    }
  });
});

describe('the dashboard', () => {
  itWith(promtool, 'promtool')('has valid expressions only', () => {
    const file = join(newFolder(), 'panels.yaml');
    const recorded = dashboardExpressions.map(
      (expression, index) => `      - record: panel_${index}\n        expr: '${expression}'\n`,
    );
    writeFileSync(file, `groups:\n  - name: panels\n    rules:\n${recorded.join('')}`);
    expect(check(promtool as string, ['check', 'rules', file])).toMatchObject({ code: 0 });
  });
});

describe('a scrape', () => {
  // Only a service with a standby has this one.
  const elsewhere = new Set(['remesa_synchronous_standbys', 'up']);
  const remesa = useRemesa({ hasRates: true });

  it('has every metric that an alarm or a panel names', async () => {
    const { text } = await new Api(remesa.service.url, undefined).get('/metrics');
    const known = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) => namesOf(name, type)),
    );
    const expressions = [...alerts.map(({ expression }) => expression), ...dashboardExpressions];
    const named = new Set(
      expressions.flatMap((text) => text.match(/\b(remesa|process|nodejs)_[a-z0-9_]+|\bup\b/g) ?? []),
    );
    expect(named.size).toBeGreaterThan(25);
    expect([...named].filter((name) => !known.has(name) && !elsewhere.has(name))).toEqual([]);
  });
});

function namesOf(name: string, type: string | undefined): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name];
}
