/** Builds the screening room: loads the lists, and looks every few seconds whether their files have changed. */
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { screeningGauges } from './gauges.js';
import { ListPoll } from './loading/list-poll.js';
import type { ListSource } from './loading/list-source.js';
import { loadSandboxList } from './loading/sandbox.js';
import { WatchedList } from './loading/watched-list.js';
import { screeningRoutes } from './routes.js';
import { ScreeningService } from './service.js';

export interface ScreeningSettings {
  readonly mode: 'sandbox' | 'live';
  readonly screeningLists: readonly ListSource[];
  readonly screeningListMaxAgeDays: number;
  readonly screeningListMaxShrinkPercent: number;
  readonly screeningMatchScore: number;
  readonly screeningStrongScore: number;
}

export interface ScreeningRoomOptions {
  readonly settings: ScreeningSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** How often the files are looked at, and for how long they must be unchanged before they are read. */
  readonly pollMs?: number;
  readonly settleMs?: number;
}

/** Waits for the first load, but not for long: until a list is there, nobody is cleared. */
const firstLoadMs = 5_000;

export async function screeningRoom(options: ScreeningRoomOptions) {
  const { settings, clock, log, pollMs = 2_000, settleMs = 2_000 } = options;
  const mostShrinkPercent = settings.screeningListMaxShrinkPercent;
  const lists = settings.screeningLists.map(
    (source) => new WatchedList(source, { clock, log, mostShrinkPercent, settleMs }),
  );
  const usesSandboxList = settings.mode === 'sandbox' && lists.length === 0;
  const service = new ScreeningService({
    lists,
    ...(usesSandboxList && { builtIn: loadSandboxList(clock) }),
    thresholds: { matchScore: settings.screeningMatchScore, strongScore: settings.screeningStrongScore },
    maxAgeDays: settings.screeningListMaxAgeDays,
    clock,
  });
  const poll = new ListPoll(lists, pollMs);
  await poll.start(firstLoadMs);
  return {
    service,
    routes: screeningRoutes(service),
    jobs: [],
    gauges: screeningGauges(service),
    warnings: () => service.warnings(),
    close: () => poll.stop(),
  };
}
