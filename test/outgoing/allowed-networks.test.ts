/** The setting WEBHOOK_ALLOWED_NETWORKS. */
import { expect, it } from 'vitest';
import { faultsOf } from '../foundation/refusal.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';

const { logText } = useService(useTestDatabase(), {
  settings: { WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16, fd00::/8' },
});

it('private networks that the operator allows are logged at the start', () => {
  expect(logText()).toContain('"networks":["10.20.0.0/16","fd00::/8"]');
});

it('a text that is not a network refuses the start', () => {
  expect(faultsOf({ WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16, intranet' })).toEqual([
    'WEBHOOK_ALLOWED_NETWORKS must be a comma-separated list of networks such as 10.20.0.0/16, not "intranet"',
  ]);
});
