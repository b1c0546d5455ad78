/** Whether a rate moved further than anyone would believe without asking: by more than a fifth, up or down. */
import { type Rate, rateFromLiteral } from '../money/rate.js';

export function jumpsTooFar(before: string, after: string): boolean {
  const [one, other] = [read(before), read(after)];
  const scale = Math.max(one.scale, other.scale);
  const was = one.coefficient * 10n ** BigInt(scale - one.scale);
  const is = other.coefficient * 10n ** BigInt(scale - other.scale);
  return is * 10n > was * 12n || is * 10n < was * 8n;
}

function read(text: string): Rate {
  const rate = rateFromLiteral(text);
  if ('fault' in rate) throw new TypeError(`not a rate: ${text}`);
  return rate;
}
