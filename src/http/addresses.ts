/** Limits the length of path parameters, and makes the error for unknown addresses. */
import { RemesaError } from '../errors.js';

const maxParameterLength = 200;

/** Checked here and not by the router, because the router's answer would bypass our hooks. */
export function hasOverlongParameter(parameters: unknown): boolean {
  return Object.values(parameters ?? {}).some((value) => String(value).length > maxParameterLength);
}

export function notFound(): RemesaError {
  return new RemesaError('not_found', 'not_found', 'There is nothing at this address.');
}
