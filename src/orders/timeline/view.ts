/** An entry of a timeline as merchants and users see it. Pure. */
import type { Static } from 'typebox';
import type { TimelineEntry } from '../order/history.js';
import { publicActor, publicEvent, publicState } from '../order/transitions.js';
import type { TimelineShape } from './schemas.js';

export function viewOfEntry(entry: TimelineEntry): Static<typeof TimelineShape>[number] {
  const { publicVersion = 0, event, from, to, statusReason, actorKind, occurredAt } = entry;
  return {
    version: publicVersion,
    event: publicEvent(event),
    status: publicState(to),
    previousStatus: from && publicState(from),
    statusReason: statusReason ?? null,
    by: publicActor(event, actorKind),
    at: occurredAt.toISOString(),
  };
}
