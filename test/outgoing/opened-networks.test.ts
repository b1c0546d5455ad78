/** What the operator opens by a setting. */
import { expect, it } from 'vitest';
import { faultsOf } from '../foundation/refusal.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';

const { logText } = useService(useTestDatabase(), {
  settings: { WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16, fd00::/8' },
});

it('networks that the operator opened are said at the start', () => {
  expect(logText()).toContain('"networks":["10.20.0.0/16","fd00::/8"]');
});

it('a network that is none stops the start', () => {
  expect(faultsOf({ WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16, intranet' })).toEqual([
    'WEBHOOK_ALLOWED_NETWORKS must be a comma-separated list of networks such as 10.20.0.0/16, not "intranet"',
  ]);
});
