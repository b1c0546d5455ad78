/** Creates the rate sources of the setting RATE_SOURCES, in the same order. */
import type { RateSourceEntry } from '../../config/rate-source-entries.js';
import type { RateSource } from '../../rates/sources/rate-source.js';
import { baseAndRatesSource } from './base-and-rates.js';
import { ecbSource } from './ecb.js';
import { fileSource } from './file.js';
import { sandboxSnapshot } from './snapshot.js';

export function rateSourcesOf(entries: readonly RateSourceEntry[]): RateSource[] {
  return entries.map(sourceOf);
}

function sourceOf(entry: RateSourceEntry): RateSource {
  switch (entry.kind) {
    case 'ecb':
      return ecbSource({ name: entry.name, ...(entry.address ? { address: entry.address } : {}) });
    case 'json':
      return baseAndRatesSource(entry);
    case 'file':
      return fileSource(entry);
    case 'snapshot':
      return sandboxSnapshot;
  }
}
