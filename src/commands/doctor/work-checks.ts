/** Checks of the work that jobs do: rates are collected, and notifications leave. */
import type { Config } from '../../config/config.js';
import type { Database } from '../../postgres/database.js';
import { checkedSources } from '../../rates/sources/rate-overview.js';
import { notificationBacklog } from '../../webhooks/service.js';
import { fault, ok, type Result, warning } from './finding.js';

const longestBacklogSeconds = 60;

export async function checkRates(database: Database, config: Config): Promise<Result> {
  const checked = await checkedSources(database);
  const names = config.rateSources.flatMap((entry) => (entry.kind === 'snapshot' ? [] : [entry.name]));
  const faulty = checked.filter(({ name, fault: reason }) => names.includes(name) && reason !== undefined);
  const unasked = names.filter((name) => !checked.some((source) => source.name === name));
  if (faulty.length > 0) {
    const reasons = faulty.map(({ name, fault: reason }) => `${name}: ${reason}`).join('; ');
    const judge = faulty.length === names.length ? fault : warning;
    return judge(`Rates could not be fetched (${reasons}).`, 'Correct RATE_SOURCES, or look at the network.');
  }
  if (unasked.length > 0)
    return warning(`${unasked.join(', ')} was never asked for rates.`, 'Start a process with ROLE=all or ROLE=worker.');
  return ok(
    names.length === 0 ? 'Rates come from the snapshot of the sandbox.' : `Rates come from ${names.join(', ')}.`,
  );
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
