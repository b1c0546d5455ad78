/** Writes deploy/grafana/remesa.json: money, edge, queues, database. */

interface Panel {
  readonly title: string;
  readonly unit: 'short' | 's' | 'reqps' | 'bytes' | 'percentunit';
  /** The expression and the legend of each line. */
  readonly lines: readonly (readonly [expression: string, legend: string])[];
}

const requests = 'remesa_http_request_seconds';

const rows: Readonly<Record<string, readonly Panel[]>> = {
  Money: [
    {
      title: 'Unfinished payouts and refunds',
      unit: 'short',
      lines: [['max by (state) (remesa_payout_attempts)', '{{state}}']],
    },
    {
      title: 'Oldest unfinished payout',
      unit: 's',
      lines: [['max by (state) (remesa_payout_oldest_seconds)', '{{state}}']],
    },
    {
      title: 'Money in suspense',
      unit: 'short',
      lines: [['max by (reason) (remesa_suspense_records)', '{{reason}}']],
    },
    {
      title: 'Accounts that are low or differ, ledgers with a fault',
      unit: 'short',
      lines: [
        ['sum(max by (account) (remesa_account_low))', 'low'],
        ['sum(max by (account) (remesa_account_differs))', 'differ'],
        ['sum(max by (merchant) (remesa_ledger_fault))', 'ledger faults'],
      ],
    },
    {
      title: 'Rates: age and held',
      unit: 's',
      lines: [['max by (source) (remesa_rate_age_seconds)', '{{source}}']],
    },
    {
      title: 'Screening lists: age',
      unit: 's',
      lines: [['max by (list) (remesa_screening_list_age_seconds)', '{{list}}']],
    },
  ],
  People: [
    {
      title: 'Orders under way',
      unit: 'short',
      lines: [['max by (state) (remesa_orders)', '{{state}}']],
    },
    {
      title: 'Tasks that wait',
      unit: 'short',
      lines: [['max by (kind) (remesa_tasks) > 0', '{{kind}}']],
    },
    {
      title: 'Tasks that are overdue',
      unit: 'short',
      lines: [['max by (kind) (remesa_tasks_overdue) > 0', '{{kind}}']],
    },
    {
      title: 'Requests for approval',
      unit: 'short',
      lines: [['max by (action) (remesa_approvals)', '{{action}}']],
    },
    {
      title: 'Failed logins of operators',
      unit: 'short',
      lines: [['sum by (reason) (increase(remesa_failed_logins_total[15m]))', '{{reason}}']],
    },
  ],
  Edge: [
    {
      title: 'Requests by status',
      unit: 'reqps',
      lines: [[`sum by (status) (rate(${requests}_count[5m]))`, '{{status}}']],
    },
    {
      title: 'Time of 95 and 99 % of the requests',
      unit: 's',
      lines: [
        [`histogram_quantile(0.95, sum by (le) (rate(${requests}_bucket[5m])))`, '95 %'],
        [`histogram_quantile(0.99, sum by (le) (rate(${requests}_bucket[5m])))`, '99 %'],
      ],
    },
    {
      title: 'Slowest routes (95 %)',
      unit: 's',
      lines: [[`topk(8, histogram_quantile(0.95, sum by (le, route) (rate(${requests}_bucket[5m]))))`, '{{route}}']],
    },
    {
      title: 'Refused or cut off',
      unit: 'reqps',
      lines: [['sum by (lane, reason) (rate(remesa_http_dropped_total[5m]))', '{{lane}} {{reason}}']],
    },
    {
      title: 'In flight',
      unit: 'short',
      lines: [
        ['sum by (lane, stage) (remesa_http_requests)', '{{lane}} {{stage}}'],
        ['sum(remesa_http_streams)', 'streams'],
      ],
    },
    {
      title: 'Connections',
      unit: 'short',
      lines: [['sum by (instance) (remesa_http_connections)', '{{instance}}']],
    },
  ],
  Queues: [
    {
      title: 'How long the oldest work has been due',
      unit: 's',
      lines: [['max by (queue) (remesa_queue_age_seconds)', '{{queue}}']],
    },
    {
      title: 'Failed jobs',
      unit: 'short',
      lines: [['sum by (job_name) (increase(remesa_job_failures_total[15m]))', '{{job_name}}']],
    },
    {
      title: 'Lines in the log',
      unit: 'short',
      lines: [['sum by (level) (increase(remesa_log_lines_total[15m]))', '{{level}}']],
    },
    {
      title: 'Wake-ups and sending',
      unit: 's',
      lines: [
        ['max by (instance) (remesa_wake_up_silence_seconds)', 'silence of {{instance}}'],
        ['max(remesa_sending_held)', 'sending is held'],
      ],
    },
  ],
  'Database and processes': [
    {
      title: 'Connections of the pool',
      unit: 'short',
      lines: [['sum by (state) (remesa_database_connections)', '{{state}}']],
    },
    {
      title: 'Ready processes by version',
      unit: 'short',
      lines: [
        ['sum(remesa_ready)', 'ready'],
        ['count by (version, role) (remesa_build_info)', '{{version}} {{role}}'],
      ],
    },
    {
      title: 'Memory',
      unit: 'bytes',
      lines: [['process_resident_memory_bytes{job=~"remesa.*"}', '{{instance}}']],
    },
    {
      title: 'Processor',
      unit: 'percentunit',
      lines: [['rate(process_cpu_seconds_total{job=~"remesa.*"}[5m])', '{{instance}}']],
    },
    {
      title: 'Event loop, 99 %',
      unit: 's',
      lines: [['nodejs_eventloop_lag_p99_seconds{job=~"remesa.*"}', '{{instance}}']],
    },
  ],
};

/** All expressions, for the test that every metric exists. */
export const dashboardExpressions = Object.values(rows).flatMap((panels) =>
  panels.flatMap(({ lines }) => lines.map(([expression]) => expression)),
);

export function dashboard(): string {
  const panels: object[] = [];
  let y = 0;
  for (const [title, ofRow] of Object.entries(rows)) {
    panels.push({ id: panels.length + 1, type: 'row', title, collapsed: false, gridPos: { h: 1, w: 24, x: 0, y } });
    y += 1;
    for (const [index, panel] of ofRow.entries()) {
      const gridPos = { h: 8, w: 8, x: (index % 3) * 8, y: y + Math.floor(index / 3) * 8 };
      panels.push(panelOf(panel, panels.length + 1, gridPos));
    }
    y += Math.ceil(ofRow.length / 3) * 8;
  }
  const shown = {
    title: 'Remesa',
    uid: 'remesa',
    tags: ['remesa'],
    schemaVersion: 39,
    timezone: 'utc',
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels,
  };
  return `${JSON.stringify(shown, undefined, 2)}\n`;
}

const datasource = { type: 'prometheus', uid: '$' + '{datasource}' };

function panelOf({ title, unit, lines }: Panel, id: number, gridPos: object): object {
  return {
    id,
    type: 'timeseries',
    title,
    gridPos,
    datasource,
    fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 10, showPoints: 'never' } }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: lines.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat,
    })),
  };
}
