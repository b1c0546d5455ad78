/** What operators do: what they decide about an order, the level of its sender, and the merchant. */
import { eventually } from '../../harness/eventually.js';
import { sent } from './customer-acts.js';
import { type Draw, type LaneModel, onOrder, orderAt } from './lane.js';
import type { ModelOrder } from './order-model.js';
import type { Outcome, Surroundings } from './order-record.js';

const note = 'A step of the model.';

interface Decision {
  readonly body?: Readonly<Record<string, unknown>>;
  /** The operator says which version of the order the decision is about. */
  readonly isVersioned?: true;
  readonly expect: (order: ModelOrder, seen: number, around: Surroundings) => Outcome;
}

export const decisions = {
  refer: { expect: (order) => order.refer() },
  freeze: { expect: (order) => order.freeze() },
  release: { expect: (order) => order.release() },
  approve: { isVersioned: true, expect: (order, seen, around) => order.approve(seen, around) },
  refuse: { isVersioned: true, body: { reason: 'other' }, expect: (order, seen) => order.refuse(seen) },
  'request-information': {
    body: { items: ['purpose'] },
    expect: (order, _seen, { hour }) => order.askForInformation(hour),
  },
  'retry-payout': { isVersioned: true, expect: (order, seen, around) => order.retryPayout(seen, around) },
  refund: {
    isVersioned: true,
    body: { reason: 'operator' },
    expect: (order, seen, around) => order.refund(seen, around),
  },
  'retry-refund': { isVersioned: true, expect: (order, seen, around) => order.retryRefund(seen, around) },
} as const satisfies Record<string, Decision>;
export type DecisionName = keyof typeof decisions;

export const decide = (at: number, verb: DecisionName): Draw =>
  onOrder(at, (index, _order, { id, seen: { version } }) => {
    const decision: Decision = decisions[verb];
    return {
      name: `${verb} ${index}`,
      ask(service, fault) {
        const body = { note, ...decision.body, ...(decision.isVersioned ? { version } : {}) };
        const path = `/operator/orders/${id}/${verb}`;
        return sent(service.send(path, { token: service.operator, body }, fault));
      },
      expect(model, around) {
        const order = orderAt(model, index);
        return order.isForgotten ? [404, 'order_not_found'] : decision.expect(order, version, around);
      },
    };
  });

/** The sender loses the KYC level, or has it again. */
export const changeLevel = (at: number): Draw =>
  onOrder(at, (index, order, { user }, { merchant: { merchant } }) => {
    // A confirmed hit has revoked it for good.
    if (order.isErased || order.hit === 'confirmed') return undefined;
    const states = order.holdsLevel ? ['EXPIRED'] : ['PENDING', 'SUBMITTED', 'APPROVED'];
    return {
      name: `change of the level of ${index}`,
      async ask({ sql }) {
        for (const state of states)
          await sql.query(
            'UPDATE kyc_cases SET state = $3, version = version + 1 WHERE merchant_id = $1 AND user_id = $2',
            [merchant, user.id, state],
          );
        return [200];
      },
      expect(model: LaneModel) {
        const changed = orderAt(model, index);
        changed.holdsLevel = !changed.holdsLevel;
        return [200];
      },
    };
  });

/** Every node refuses the tokens of a suspended merchant, and takes them again when it is resumed. */
export const changeStatus =
  (mayBegin: boolean): Draw =>
  ({ merchant: { clientId, token }, model: { isSuspended } }) => {
    // A suspension soon ends, so that it does not fill the story.
    if (!isSuspended && !mayBegin) return undefined;
    const verb = isSuspended ? 'resume' : 'suspend';
    return {
      name: `${verb} the merchant`,
      async ask(service, fault) {
        const path = `/operator/merchants/${clientId}/${verb}`;
        const outcome = await sent(service.send(path, { token: service.operator }, fault));
        for (const api of [service.api, service.otherApi]) {
          const isKnown = async () =>
            (await api.get('/merchant/orders?limit=1', { token })).status === (isSuspended ? 200 : 401);
          await eventually(isKnown, { what: verb, everyMs: 5 });
        }
        return outcome;
      },
      expect(model) {
        model.isSuspended = !isSuspended;
        return [200];
      },
    };
  };
