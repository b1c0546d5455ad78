/** What stops the money of a person, and lets it go again: blocks, decisions about hits, and pauses. */
import { eventually } from '../../harness/eventually.js';
import { sent } from './customer-acts.js';
import { type Draw, type LaneModel, onOrder, orderAt } from './lane.js';
import type { ModelService } from './model-service.js';

const note = 'A step of the model.';

/** What is there of the person is frozen; the rest stops at its exit. */
function freezeAll(model: LaneModel, index: number): void {
  orderAt(model, index).freeze();
  for (const record of model.suspense) if (record.order === index) record.freeze();
}

/** The person behind the sender is put on the block list. */
export const block = (at: number): Draw =>
  onOrder(at, (index, order, { id, user }, { merchant, blocks }) => {
    if (order.isBlocked || order.isErased || order.mayBeSentBesides) return undefined;
    return {
      name: `block of the sender of ${index}`,
      async ask(service, fault) {
        const body = { kind: 'person', merchant: merchant.clientId, userId: user.id, reason: note };
        const answer = await service.send('/operator/blocks', { token: service.operator, body }, fault);
        if (answer.status !== 200) return [answer.status, answer.json.code];
        const { blockId } = answer.json;
        blocks.set(index, blockId);
        service.rail.stop(id, 'blocked');
        const text = 'SELECT FROM blocks WHERE block_id = $1 AND applied_at IS NOT NULL';
        const isApplied = async () => {
          await service.job('persons.apply-blocks').run(AbortSignal.timeout(60_000));
          return (await service.sql.query(text, [blockId])).rowCount === 1;
        };
        await eventually(isApplied, { what: 'the block applied', everyMs: 5 });
        return [200];
      },
      expect(model) {
        orderAt(model, index).isBlocked = true;
        freezeAll(model, index);
        return [200];
      },
    };
  });

/** What was frozen stays frozen until it is released. */
export const liftBlock = (at: number): Draw =>
  onOrder(at, (index, order, { id }, { blocks }) => {
    if (!order.isBlocked) return undefined;
    return {
      name: `lift of the block of the sender of ${index}`,
      async ask(service, fault) {
        const ask = { token: service.operator, body: { note } };
        const outcome = await sent(service.send(`/operator/blocks/${blocks.get(index)}/lift`, ask, fault));
        if (outcome[0] === 200) service.rail.letGo(id, 'blocked');
        return outcome;
      },
      expect(model) {
        orderAt(model, index).isBlocked = false;
        return [200];
      },
    };
  });

/** An operator finds out whether the sender is the one on the list. */
export const decideHit = (at: number, verb: 'dismiss' | 'confirm'): Draw =>
  onOrder(at, (index, order, { id, user }) => {
    if (order.hit !== 'open' || (verb === 'confirm' && order.mayBeSentBesides)) return undefined;
    return {
      name: `${verb} the hit of ${index}`,
      async ask(service, fault) {
        const hitId = await openHitOf(service, user.id);
        const ask = { token: service.operator, body: { note } };
        const outcome = await sent(service.send(`/operator/screening/hits/${hitId}/${verb}`, ask, fault));
        if (outcome[0] === 200 && verb === 'dismiss') service.rail.letGo(id, 'listed');
        return outcome;
      },
      expect(model) {
        const found = orderAt(model, index);
        found.hit = verb === 'dismiss' ? 'dismissed' : 'confirmed';
        if (verb === 'dismiss') return [200];
        found.holdsLevel = false;
        freezeAll(model, index);
        return [200];
      },
    };
  });

async function openHitOf({ sql }: ModelService, userId: number): Promise<string> {
  const text = `SELECT hit_id FROM screening_hits WHERE user_id = $1 AND state = 'open'`;
  return (await sql.query(text, [userId])).rows[0]?.hit_id;
}

/** Nothing new is sent for the merchant, nor quoted, until operators resume it. */
export const changePause =
  (mayBegin: boolean): Draw =>
  ({ merchant: { clientId, token }, model: { isPaused, isSuspended } }) => {
    // Whether a node knows of the pause is seen by its quotes, which a suspended merchant does not get.
    if (isSuspended || (!isPaused && !mayBegin)) return undefined;
    const path = isPaused ? '/operator/pauses/resume' : '/operator/pauses';
    return {
      name: isPaused ? 'resume what is paused' : 'pause',
      async ask(service, fault) {
        const named = { kind: 'merchant', name: clientId, note };
        const body = isPaused ? named : { ...named, stops: ['payouts', 'quotes'] };
        const outcome = await sent(service.send(path, { token: service.operator, body }, fault));
        const asked = { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 };
        for (const api of [service.api, service.otherApi]) {
          const isKnown = async () => ((await api.post('/rates', { token, body: asked })).status === 200) === isPaused;
          await eventually(isKnown, { what: 'every node to know of the pause', everyMs: 5 });
        }
        return outcome;
      },
      expect(model) {
        model.isPaused = !isPaused;
        return [200];
      },
    };
  };
