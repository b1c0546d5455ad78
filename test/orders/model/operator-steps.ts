/** The steps of operators: what they decide about an order, and about the level of its sender. */
import type { Fault } from './model-service.js';
import type { ModelOrder } from './order-model.js';
import { expectAnswer, onOrder, type Step } from './step.js';

const note = 'A step of the model.';
/** What operators do, with what else the request says. */
export const decisions = {
  refer: (order: ModelOrder) => order.refer(),
  freeze: (order: ModelOrder) => order.freeze(),
  release: (order: ModelOrder) => order.release(),
  approve: (order: ModelOrder) => order.approve(),
  refuse: (order: ModelOrder) => order.refuse(),
  'request-information': (order: ModelOrder, hour: number) => order.askForInformation(hour),
} as const;

export const decide = (at: number, verb: keyof typeof decisions, fault: Fault): Step =>
  onOrder(`${verb}, ${fault},`, at, async ({ order, id }, { hour }, { service }) => {
    const { rows } = await service.sql.query('SELECT version FROM orders WHERE order_id = $1', [id]);
    const isVersioned = verb === 'approve' || verb === 'refuse';
    const body = {
      note,
      ...(isVersioned ? { version: rows[0].version } : {}),
      ...(verb === 'refuse' ? { reason: 'other' } : {}),
      ...(verb === 'request-information' ? { items: ['purpose'] } : {}),
    };
    const path = `/operator/orders/${id}/${verb}`;
    const answer = await service.send(path, { token: service.operator, body }, fault);
    expectAnswer(answer, decisions[verb](order, hour));
  });

/** The sender loses the KYC level, or has it again. */
export const changeLevel = (at: number): Step =>
  onOrder('change of level', at, async ({ order, user }, _model, { service, merchant }) => {
    const states = order.holdsLevel ? ['EXPIRED'] : ['PENDING', 'SUBMITTED', 'APPROVED'];
    for (const state of states)
      await service.sql.query(
        'UPDATE kyc_cases SET state = $3, version = version + 1 WHERE merchant_id = $1 AND user_id = $2',
        [merchant.merchant, user.id, state],
      );
    order.holdsLevel = !order.holdsLevel;
  });
