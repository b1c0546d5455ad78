/** Limits how long somebody outside may take to answer. */
import { setTimeout as pause } from 'node:timers/promises';

/** Throws when there is no answer in time, also when the signal is ignored. */
export async function withinTime<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  milliseconds: number,
): Promise<Answer> {
  const answered = new AbortController();
  const late = pause(milliseconds, undefined, { signal: answered.signal }).then(
    () => Promise.reject(new Error(`no answer within ${milliseconds} ms`)),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([ask(AbortSignal.timeout(milliseconds)), late]);
  } finally {
    answered.abort();
  }
}
