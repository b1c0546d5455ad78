import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterAttempt,
  type EndpointOutcome,
  type Health,
  healthy,
  isServed,
  lanesNow,
} from '../../src/webhooks/endpoints/endpoint.js';

const began = new Date('2026-11-15T09:30:00Z');
const second = 1000;
const hour = 3600 * second;

function later(milliseconds: number): Date {
  return new Date(began.getTime() + milliseconds);
}

/** One attempt each so many milliseconds. */
function healthAfter(outcomes: readonly EndpointOutcome[], everyMs = second, from: Health = healthy): Health {
  return outcomes.reduce((health, outcome, index) => afterAttempt(health, outcome, later(index * everyMs)), from);
}

const failures = (count: number): EndpointOutcome[] => Array(count).fill('failed');

describe('the circuit', () => {
  it('stays closed for nine failures in a row, and opens for half a minute at the tenth', () => {
    expect(healthAfter(failures(9)).circuitOpenUntil).toBeNull();
    expect(healthAfter(failures(10)).circuitOpenUntil).toEqual(later(9 * second + 30 * second));
  });

  it('opens at seven failures of ten, not at six', () => {
    const mixed = (failed: number) => [...failures(failed - 1), ...Array(10 - failed).fill('delivered'), 'failed'];
    expect(healthAfter(mixed(6) as EndpointOutcome[]).circuitOpenUntil).toBeNull();
    expect(healthAfter(mixed(7) as EndpointOutcome[]).circuitOpenUntil).toEqual(later(39 * second));
  });

  it('does not judge by failures of more than five minutes ago', () => {
    const before = healthAfter(['delivered', ...failures(8)]);
    expect(afterAttempt(before, 'failed', later(299 * second)).circuitOpenUntil).toEqual(later(329 * second));
    const after = afterAttempt({ ...before, consecutiveFailures: 0 }, 'failed', later(301 * second));
    expect([after.circuitOpenUntil, after.windowAttempts]).toEqual([null, 1]);
  });

  it('lets one attempt decide when the time has come, and waits twice as long after each that failed', () => {
    let health = healthAfter(failures(10));
    const waits: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const at = health.circuitOpenUntil as Date;
      expect(isServed(health, at)).toBe(true);
      expect(isServed(health, new Date(at.getTime() - 1))).toBe(false);
      expect(lanesNow(health)).toBe(1);
      health = afterAttempt(health, 'failed', at);
      waits.push(((health.circuitOpenUntil as Date).getTime() - at.getTime()) / second);
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  });

  it('is not held open longer by what was still under way when it opened', () => {
    const opened = healthAfter(failures(10));
    const more = afterAttempt(opened, 'failed', later(10 * second));
    expect([more.circuitOpenUntil, more.circuitOpenings]).toEqual([opened.circuitOpenUntil, 1]);
  });

  it('closes with the first success, which also forgets what was counted before', () => {
    const probed = afterAttempt(healthAfter(failures(10)), 'delivered', later(39 * second));
    expect(probed).toMatchObject({
      circuitOpenUntil: null,
      circuitOpenings: 0,
      consecutiveFailures: 0,
      failingSince: null,
      lanes: 4,
    });
    expect(afterAttempt(probed, 'failed', later(40 * second)).circuitOpenUntil).toBeNull();
  });
});

describe('lanes', () => {
  it('are four, one after a timeout or an answer that does not end, and four again after a success', () => {
    expect(lanesNow(healthy)).toBe(4);
    expect(lanesNow(healthAfter(['failed']))).toBe(4);
    const timedOut = healthAfter(['timeout']);
    expect(lanesNow(timedOut)).toBe(1);
    expect(lanesNow(afterAttempt(timedOut, 'failed', later(second)))).toBe(1);
    expect(lanesNow(afterAttempt(timedOut, 'delivered', later(second)))).toBe(4);
    expect(healthAfter(['failed', 'slow'])).toMatchObject({ lanes: 1, consecutiveFailures: 0 });
  });
});

describe('an endpoint', () => {
  it('is disabled at once when it says that it is gone', () => {
    expect(healthAfter(['gone']).disabledBecause).toBe('gone');
  });

  it('is disabled after five days of nothing but failures, not before', () => {
    const hourly = (count: number) => healthAfter(failures(count), hour);
    expect(hourly(120).disabledBecause).toBeNull();
    expect(hourly(121).disabledBecause).toBe('failing');
  });

  it('never while one attempt in five days succeeds', () => {
    const outcomes = failures(240);
    outcomes[119] = 'delivered';
    expect(healthAfter(outcomes, hour).disabledBecause).toBeNull();
  });

  it('is not disabled for fewer than ten attempts, however long ago the first was', () => {
    expect(healthAfter(failures(9), 24 * hour).disabledBecause).toBeNull();
    expect(healthAfter(failures(10), 24 * hour).disabledBecause).toBe('failing');
  });
});

it('an endpoint is either served or has a time or a reason not to be, whatever happens in whatever order', () => {
  const outcome = fc.constantFrom<EndpointOutcome>('delivered', 'slow', 'failed', 'timeout', 'gone');
  fc.assert(
    fc.property(fc.array(fc.tuple(outcome, fc.nat({ max: 2 * hour })), { maxLength: 200 }), (attempts) => {
      let health = healthy;
      let at = began.getTime();
      for (const [kind, afterMs] of attempts) {
        at += afterMs;
        health = afterAttempt(health, kind, new Date(at));
        const pauseMs = (health.circuitOpenUntil?.getTime() ?? at) - at;
        expect(pauseMs).toBeLessThanOrEqual(hour);
        expect([1, 4]).toContain(health.lanes);
        expect(health.windowFailures).toBeLessThanOrEqual(health.windowAttempts);
        expect(health.consecutiveFailures).toBe(health.failingAttempts);
        if ((kind === 'delivered' || kind === 'slow') && health.disabledBecause === null)
          expect(isServed(health, new Date(at))).toBe(true);
      }
    }),
  );
});
