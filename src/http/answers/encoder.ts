/** Writes an answer as JSON, with the declared fields only. */
import fastJsonStringify from 'fast-json-stringify';
import type { Route } from '../route.js';
import { JsonText } from './answer.js';

export type Encode = (answer: unknown) => string;

export function encoderOf({ answer: schema }: Pick<Route, 'answer'>): Encode {
  if (!schema) return () => '';
  let encode: Encode | undefined;
  return (answer) => {
    if (answer instanceof JsonText) return answer.text;
    encode ??= compiledEncoder(schema);
    return encode(answer);
  };
}

const encoders = new WeakMap<object, Encode>();

/**
 * Compiled for the first answer: a start does not wait for the encoders of all routes. Routes with the same schema
 * share it.
 */
function compiledEncoder(schema: object): Encode {
  const known = encoders.get(schema);
  if (known) return known;
  const compiled = fastJsonStringify(schema) as Encode;
  encoders.set(schema, compiled);
  return compiled;
}
