/** Alarms and dashboard: they are valid, they fire when they should, and every metric in them exists. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAtMostEvery } from '../../src/http/monitoring/kept-reading.js';
import { dashboardExpressions } from '../generated/dashboard.js';
import { Api } from '../harness/api.js';
import { newFolder } from '../harness/new-folder.js';
import { root } from '../harness/programs.js';
import { useRemesa } from '../harness/remesa.js';
import { cancel, placed, sender } from '../orders/orders.js';
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
  const remesa = useRemesa({ hasRates: true, settings: { FOUR_EYES: 'all' } });
  const scrape = async () => (await new Api(remesa.service.url, undefined).get('/metrics')).text;

  // The first scrape: some figures are kept for a minute.
  it('counts orders under way, tasks, requests for approval and failed logins', async () => {
    const { api, admin: token } = remesa;
    const user = await sender(remesa);
    await placed(remesa, user);
    await cancel(remesa, (await placed(remesa, user)).id);
    const body = { login: 'new-one', role: 'viewer' };
    const asked = await api.post('/operator/operators', { token, body, headers: { 'idempotency-key': 'new-one' } });
    expect(asked.status).toBe(202);
    const failed = async () =>
      Number(/^remesa_failed_logins_total\{reason="wrong_password"\} (\d+)$/m.exec(await scrape())?.[1] ?? 0);
    const failedBefore = await failed();
    const wrong = await api.post('/operator/login', { body: { login: 'the-admin', password: 'not-the-password' } });
    expect(wrong.status).toBe(401);
    const lines = (await scrape()).split('\n');
    expect(lines.filter((line) => line.startsWith('remesa_orders{') && !line.endsWith(' 0'))).toEqual([
      'remesa_orders{state="AWAITING_PAYMENT"} 1',
    ]);
    expect(lines).toContain('remesa_tasks{kind="approval"} 1');
    expect(lines).toContain('remesa_tasks{kind="suspense"} 0');
    expect(lines).toContain('remesa_tasks_overdue{kind="approval"} 0');
    expect(lines).toContain('remesa_approvals{action="operator.create"} 1');
    expect((await failed()) - failedBefore).toBe(1);
  });

  it('reads a figure that is kept once a minute, and one that could not be read again at once', async () => {
    let [now, reads] = [0, 0];
    const read = readAtMostEvery(
      60,
      async () => {
        reads += 1;
        if (reads === 1) throw new Error('no database');
        return reads;
      },
      () => now,
    );
    await expect(read()).rejects.toThrow('no database');
    expect(await Promise.all([read(), read()])).toEqual([2, 2]);
    now = 59_999;
    expect(await read()).toBe(2);
    now = 60_000;
    expect(await read()).toBe(3);
  });

  it('has every metric that an alarm or a panel names', async () => {
    const text = await scrape();
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
