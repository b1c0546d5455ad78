/** What operators do with money in suspense: match it to an order, pay it back, write it off. */
import { sent } from './customer-acts.js';
import { type Act, type Draw, type Lane, orderAt, type RealSuspense, suspenseAt } from './lane.js';
import { takeFromSuspense } from './payment-model.js';
import { nextOf, referenceOf } from './rail-acts.js';

const note = 'A step of the model.';

export const match = (which: number, at: number): Draw =>
  onSuspense(which, (place, { id, version }, { orders }) => {
    const index = at % Math.max(orders.length, 1);
    const order = orders[index];
    if (!order) return undefined;
    return {
      name: `match of suspense ${place} to ${index}`,
      ask(service, fault) {
        const body = { note, version, orderId: order.id };
        return sent(service.send(`/operator/suspense/${id}/match`, { token: service.operator, body }, fault));
      },
      expect(model, around) {
        const taken = { order: orderAt(model, index), seen: version };
        return takeFromSuspense(model, suspenseAt(model, place), taken, around);
      },
    };
  });

export const payBack = (which: number): Draw =>
  onSuspense(which, (place, { id, version }) => ({
    name: `return of suspense ${place}`,
    ask(service, fault) {
      const ask = { token: service.operator, body: { note, version } };
      return sent(service.send(`/operator/suspense/${id}/return`, ask, fault));
    },
    expect(model, around) {
      const record = suspenseAt(model, place);
      const { isStopped, clues } = model.examine(record, around);
      if (record.version === version && isStopped) return [409, 'suspense_blocked'];
      return record.payBack(version, clues);
    },
  }));

/** Operators stop money in suspense, and let it go again. */
export const hold = (which: number, verb: 'withdraw' | 'freeze' | 'release'): Draw =>
  onSuspense(which, (place, { id, version }) => ({
    name: `${verb} of suspense ${place}`,
    ask(service, fault) {
      const body = verb === 'freeze' ? { note } : { note, version };
      return sent(service.send(`/operator/suspense/${id}/${verb}`, { token: service.operator, body }, fault));
    },
    expect: (model) => suspenseAt(model, place)[verb](version),
  }));

export const writeOff = (which: number): Draw =>
  onSuspense(which, (place, { id, version }) => ({
    name: `write-off of suspense ${place}`,
    ask(service, fault) {
      const ask = { token: service.operator, body: { note, version } };
      return sent(service.send(`/operator/suspense/${id}/write-off`, ask, fault));
    },
    expect: (model) => suspenseAt(model, place).writeOff(version),
  }));

/** Something happens at the bank to money that is paid back. The rail tells when it is asked. */
export const happenToReturn = (which: number, isGood: boolean): Draw =>
  onSuspense(which, (place, { id }, { model }) => {
    const { attempts } = suspenseAt(model, place);
    const next = nextOf(attempts, isGood);
    if (!next) return undefined;
    return {
      name: `${next} at the bank, of suspense ${place}`,
      async ask({ rail }) {
        rail.happen(referenceOf(id, attempts.length), next);
        return [200];
      },
      expect(changed) {
        suspenseAt(changed, place).attempts.at(-1)?.known?.push(next);
        return [200];
      },
    };
  });

/** An act on the suspense record at this place, counted round and round. */
function onSuspense(which: number, act: (place: number, real: RealSuspense, lane: Lane) => Act | undefined): Draw {
  return (lane) => {
    const place = lane.suspense.length === 0 ? 0 : which % lane.suspense.length;
    const real = lane.suspense[place];
    return real && act(place, real, lane);
  };
}
