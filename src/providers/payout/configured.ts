/** The rails of this instance. The simulated one exists in a sandbox only. */
import { deriveKey } from '../../keys/derive.js';
import type { Rail } from '../../payouts/rail.js';
import type { Database } from '../../postgres/database.js';
import { iso20022Rail } from './iso20022/rail.js';
import { manualRail } from './manual.js';
import { sandboxRail } from './sandbox.js';

export interface ConfiguredRails {
  readonly all: readonly Rail[];
  /** Carries what no other rail takes. */
  readonly manual: Rail;
}

export function railsOf(mode: 'sandbox' | 'live', database: Database, rootKey: Buffer): ConfiguredRails {
  const codeKey = deriveKey(rootKey, 'sandbox pick-up codes');
  const simulated = mode === 'sandbox' ? [sandboxRail({ database, codeKey })] : [];
  return { all: [manualRail, iso20022Rail, ...simulated], manual: manualRail };
}
