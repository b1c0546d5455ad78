/**
 * The states of a lane and what each state allows, as data. A lane starts in `serving` and ends in `released`, `lost` or
 * `abandoned`. It never returns to an earlier state: a new claim gets a new lane.
 */

export type LaneState =
  /** Loads, sends and records. */
  | 'serving'
  /** The endpoint was paused or disabled, or the database failed: what is in flight is finished, then released. */
  | 'draining'
  /** The process is stopping: the same, but the release is tried only once. */
  | 'stopping'
  /** The claim was given back. */
  | 'released'
  /** Another worker holds the endpoint now, or its url was replaced or deleted. */
  | 'lost'
  /** The process has waited long enough: results that still arrive are not recorded. */
  | 'abandoned';

export type LaneEvent = 'interrupt' | 'stop' | 'release' | 'lose' | 'abandon';

export interface LanePolicy {
  readonly startsAttempts: boolean;
  /** Waits for the attempts in flight and records their results. */
  readonly finishesAttempts: boolean;
  /** How often the lane tries to give its claim back when its work is over. */
  readonly releases: 'until done' | 'once' | 'never';
}

export const lanePolicies: Readonly<Record<LaneState, LanePolicy>> = {
  serving: { startsAttempts: true, finishesAttempts: true, releases: 'until done' },
  draining: { startsAttempts: false, finishesAttempts: true, releases: 'until done' },
  stopping: { startsAttempts: false, finishesAttempts: true, releases: 'once' },
  released: { startsAttempts: false, finishesAttempts: true, releases: 'never' },
  lost: { startsAttempts: false, finishesAttempts: true, releases: 'never' },
  abandoned: { startsAttempts: false, finishesAttempts: false, releases: 'once' },
};

const active = { stop: 'stopping', release: 'released', lose: 'lost', abandon: 'abandoned' } as const;

const transitions: Readonly<Record<LaneState, Readonly<Partial<Record<LaneEvent, LaneState>>>>> = {
  serving: { ...active, interrupt: 'draining' },
  draining: active,
  stopping: active,
  released: { abandon: 'abandoned' },
  lost: { abandon: 'abandoned' },
  abandoned: {},
};

/** An event that a state does not list leaves the lane as it is. */
export function nextLaneState(state: LaneState, event: LaneEvent): LaneState {
  return transitions[state][event] ?? state;
}
