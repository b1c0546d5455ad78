/** Reads a request to `/oauth/*` (RFC 6749): the client by HTTP Basic or in the body, every parameter at most once. */
import { RemesaError } from '../errors.js';

export type Fields = ReadonlyMap<string, string>;

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Reads a form, or a JSON object with the same names. Throws `invalid_request`. */
export function readFields(form: string | undefined, json: unknown): Fields {
  if (form !== undefined) return readForm(form);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalidRequest('The body must be a form or a JSON object.');
  }
  return new Map(Object.entries(json).map(([name, value]) => [name, textOf(name, value)]));
}

/** Throws `invalid_client` when there are no credentials, and `invalid_request` when they contradict each other. */
export function readClient(authorization: string | undefined, fields: Fields): ClientCredentials {
  const basic = authorization === undefined ? undefined : readBasic(authorization);
  const clientId = fields.get('client_id');
  const clientSecret = fields.get('client_secret');
  if (basic && clientSecret !== undefined) {
    throw invalidRequest('Send the client secret once: in the Authorization header or in the body.');
  }
  if (basic && clientId !== undefined && clientId !== basic.clientId) {
    throw invalidRequest('The Authorization header and the body name two different clients.');
  }
  if (basic) return basic;
  if (clientId === undefined || clientSecret === undefined) throw invalidClient();
  return { clientId, clientSecret };
}

/** Throws `invalid_request` when the parameter is missing or empty. */
export function required(fields: Fields, name: string): string {
  const value = fields.get(name);
  if (value === undefined || value === '') throw invalidRequest(`The parameter ${name} is missing.`);
  return value;
}

export function invalidRequest(message: string): RemesaError {
  return new RemesaError('invalid', 'invalid_request', message);
}

/** The same error for an unknown client, a wrong secret and a suspended merchant. */
export function invalidClient(): RemesaError {
  return new RemesaError('unauthenticated', 'invalid_client', 'The client could not be authenticated.');
}

/** Far more than RFC 6749 and its extensions define. */
const parametersAtMost = 100;

function readForm(text: string): Fields {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.size === parametersAtMost)
      throw invalidRequest(`The body has more than ${parametersAtMost} parameters.`);
    if (fields.has(name)) throw invalidRequest(`The parameter ${name.slice(0, 64)} was sent twice.`);
    // PostgreSQL cannot store NUL in a text, and no client has a reason to send it.
    if (value.includes('\0')) throw invalidRequest(`The parameter ${name.slice(0, 64)} contains a NUL.`);
    fields.set(name, value);
  }
  return fields;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (name === 'user_id' && Number.isSafeInteger(value)) return String(value);
  throw invalidRequest(`The parameter ${name.slice(0, 64)} must be a string.`);
}

function readBasic(authorization: string): ClientCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization)?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw invalidClient();
  const clientId = formDecode(text.slice(0, colon));
  if (clientId.includes('\0')) throw invalidClient();
  return { clientId, clientSecret: formDecode(text.slice(colon + 1)) };
}

/** RFC 6749 §2.3.1: the client id and the secret are form-encoded before they are joined. */
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidClient();
  }
}
