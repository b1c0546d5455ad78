/** What a lane has loaded of its endpoint, apart from the deliveries themselves. */
import type { Signers } from '../signing/signature.js';

export interface Loaded {
  readonly url: string;
  readonly signers: Signers;
  readonly atMs: number;
  readonly hasHeldBack: boolean;
  /** There may be more than was asked for. */
  readonly isFull: boolean;
}
