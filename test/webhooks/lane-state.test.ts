import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type LaneEvent,
  type LaneState,
  lanePolicies,
  nextLaneState,
} from '../../src/webhooks/delivery/lane-state.js';

const events: LaneEvent[] = ['interrupt', 'stop', 'release', 'lose', 'abandon'];

it.each<[LaneState, LaneState[]]>([
  ['serving', ['draining', 'stopping', 'released', 'lost', 'abandoned']],
  ['draining', ['draining', 'stopping', 'released', 'lost', 'abandoned']],
  ['stopping', ['stopping', 'stopping', 'released', 'lost', 'abandoned']],
  ['released', ['released', 'released', 'released', 'released', 'abandoned']],
  ['lost', ['lost', 'lost', 'lost', 'lost', 'abandoned']],
  ['abandoned', ['abandoned', 'abandoned', 'abandoned', 'abandoned', 'abandoned']],
])('%s becomes %j on interrupt, stop, release, lose and abandon', (state, expected) => {
  expect(events.map((event) => nextLaneState(state, event))).toEqual(expected);
});

it('after any event no attempt starts, whatever follows', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events), { minLength: 1, maxLength: 8 }), (happened) => {
      const state = happened.reduce(nextLaneState, 'serving' as LaneState);
      expect(lanePolicies[state].startsAttempts).toBe(false);
    }),
  );
});

it('a lane that lost its claim never releases it, and only an abandoned lane leaves results unrecorded', () => {
  expect(lanePolicies.lost.releases).toBe('never');
  const states = Object.keys(lanePolicies) as LaneState[];
  expect(states.filter((state) => !lanePolicies[state].finishesAttempts)).toEqual(['abandoned']);
});
