/** The rate source of the sandbox: a dated snapshot that needs no network. */
import { createHash } from 'node:crypto';
import type { RateSource } from '../../rates/sources/rate-source.js';
import { afternoonInBrussels } from './publication-time.js';
import { rateTable } from './rate-table.js';
import { ecbFigures, indicativeFigures, peggedFigures, snapshotDay } from './snapshot-data.js';

const figures = [...ecbFigures, ...peggedFigures, ...indicativeFigures];
const etag = createHash('sha256')
  .update(JSON.stringify([snapshotDay, figures]))
  .digest('base64url');

export const sandboxSnapshot: RateSource = {
  name: 'sandbox-snapshot',
  // Old rates are good enough for tests.
  ageLimitBusinessDays: Number.POSITIVE_INFINITY,
  async fetch(known, signal) {
    signal.throwIfAborted();
    if (known.etag === etag) return undefined;
    const entries = figures.map(({ currency, perEuro }) => [currency, perEuro] as const);
    const publishedAt = afternoonInBrussels(snapshotDay);
    if (!publishedAt) throw new Error('the snapshot has no day');
    return { ...rateTable('EUR', entries), publishedAt, validators: { etag } };
  },
};
