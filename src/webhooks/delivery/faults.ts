/** The verbs of faults that a sandbox merchant asks for, to see how its receiver takes them. */
import type { Transaction } from '../../postgres/statement.js';
import type { EndpointRef } from '../endpoint.js';
import type { InjectedFault } from './delivery.js';
import * as store from './fault-store.js';

export { listFaultsOf } from './fault-store.js';

export interface FaultRequest {
  readonly fault: InjectedFault;
  /** The next so many events that are numbered. */
  readonly count: number;
  /** Of a delay. */
  readonly delaySeconds: number;
}

/** In place of what was asked for before in this channel. */
export async function injectFault(
  tx: Transaction,
  endpoint: EndpointRef,
  request: FaultRequest,
): Promise<void> {
  await store.saveFault(tx, endpoint, request);
}

export async function endFaults(
  tx: Transaction,
  { merchantId }: Pick<EndpointRef, 'merchantId'>,
): Promise<void> {
  await store.deleteFaults(tx, merchantId);
}
