/** Limits the parameters of paths, and makes the error for unknown addresses. */
import { RemesaError } from '../errors.js';

const longestParameter = 200;

/** No id is this long. The router must not refuse it, because its answer would bypass our hooks. */
export function hasEndlessParameter(parameters: unknown): boolean {
  return Object.values(parameters ?? {}).some((value) => String(value).length > longestParameter);
}

export function notFound(): RemesaError {
  return new RemesaError('not_found', 'not_found', 'There is nothing at this address.');
}
