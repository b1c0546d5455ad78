/** Checks of the work that jobs do: rates are collected, and notifications leave. */
import type { Config } from '../../config/config.js';
import type { Database } from '../../postgres/database.js';
import { type CheckedSource, checkedSources, numberOfHeldRates } from '../../rates/operator/rate-overview.js';
import { notificationBacklog } from '../../webhooks/service.js';
import { fault, ok, type Result, warning } from './finding.js';

const longestBacklogSeconds = 60;
/** The European Central Bank publishes nothing for five days at Easter. */
const longestRateAgeSeconds = 5 * 86_400;

export async function checkRates(database: Database, config: Config): Promise<Result> {
  const checked = await checkedSources(database);
  const names = config.rateSources.flatMap((entry) => (entry.kind === 'snapshot' ? [] : [entry.name]));
  const faulty = checked.filter(({ name, fault: reason }) => names.includes(name) && reason !== undefined);
  const unasked = names.filter((name) => !checked.some((source) => source.name === name));
  if (faulty.length > 0) {
    const reasons = faulty.map(reasonOf).join('; ');
    const judge = faulty.length === names.length ? fault : warning;
    return judge(`Rates could not be fetched (${reasons}).`, 'Correct RATE_SOURCES, or look at the network.');
  }
  if (unasked.length > 0)
    return warning(`${unasked.join(', ')} was never asked for rates.`, 'Start a process with ROLE=all or ROLE=worker.');
  const old = checked.filter(({ name, ageSeconds = 0 }) => names.includes(name) && ageSeconds > longestRateAgeSeconds);
  if (old.length > 0)
    return warning(
      `The newest rates are days old (${old.map(ageOf).join('; ')}).`,
      'See whether the source still publishes.',
    );
  const held = await numberOfHeldRates(database);
  if (held > 0)
    return warning(
      `${held} rates are held, so corridors may be closed.`,
      'Compare them with the market, and accept or reject them: GET /operator/rates.',
    );
  return ok(
    names.length === 0 ? 'Rates come from the snapshot of the sandbox.' : `Rates come from ${names.join(', ')}.`,
  );
}

function reasonOf({ name, fault: reason, failingSince }: CheckedSource): string {
  return `${name}: ${reason}${failingSince ? `, since ${failingSince.toISOString()}` : ''}`;
}

function ageOf({ name, ageSeconds = 0 }: CheckedSource): string {
  return `${name}: ${Math.floor(ageSeconds / 86_400)} days`;
}

export async function checkWebhooks(database: Database): Promise<Result> {
  const { numberingSeconds, deliverySeconds } = await notificationBacklog(database);
  const seconds = Math.round(Math.max(numberingSeconds, deliverySeconds));
  if (seconds <= longestBacklogSeconds) return ok('No notification is overdue.');
  return warning(
    `The oldest notification has been due for ${seconds} s.`,
    'Start a process with ROLE=all or ROLE=worker, or look for "job failed" in its log.',
  );
}
