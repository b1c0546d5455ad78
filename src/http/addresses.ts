/** What a path may be, and the answer when nothing is there. */
import { RemesaError } from '../errors.js';

const longestParameter = 200;

/** No id is this long, so nothing can be there. The router itself would answer without any of our hooks. */
export function hasEndlessParameter(parameters: unknown): boolean {
  return Object.values(parameters ?? {}).some((value) => String(value).length > longestParameter);
}

export function notFound(): RemesaError {
  return new RemesaError('not_found', 'not_found', 'There is nothing at this address.');
}
