/** Reads what a caller sent as a beneficiary: all faults at once, or the details as they are stored. */
import { type FieldFault, RemesaError } from '../errors.js';
import type { Details } from './beneficiary.js';
import type { Destination } from './destinations/destination.js';
import { type BeneficiaryType, type Field, missing, readField } from './fields/field.js';
import { destinationFaults, fieldsFor, findDestination, typesOf } from './requirements.js';

type Fields = Readonly<Record<string, unknown>>;

/** Returns all faults that the schema of the request cannot see. */
export function beneficiaryFaults(body: unknown): FieldFault[] {
  return read(body).faults;
}

/** Throws `invalid_fields` with all faults. `prefix` is the place of the beneficiary in a larger request. */
export function readBeneficiary(body: unknown, prefix = ''): Details {
  const { faults, details } = read(body);
  if (details && faults.length === 0) return details;
  const errors = faults.map((fault) => ({ ...fault, field: `${prefix}${fault.field}` }));
  const message = errors.length === 1 ? 'One field is invalid.' : `${errors.length} fields are invalid.`;
  throw new RemesaError('invalid', 'invalid_fields', message, { errors });
}

interface Reading {
  readonly faults: FieldFault[];
  readonly details?: Details;
}

function read(body: unknown): Reading {
  if (!isObject(body)) return { faults: [{ field: '', code: 'wrong_type', message: 'must be an object' }] };
  const { country, currency, method, type } = body;
  const absent = ['country', 'currency', 'method', 'type'].filter((name) => typeof body[name] !== 'string');
  if (absent.length > 0) {
    return { faults: absent.map((field) => ({ field, code: 'required', message: 'is required' })) };
  }
  const key = { country: country as string, currency: currency as string, method: method as string };
  const destination = findDestination(key);
  if (!destination) return { faults: destinationFaults(key) };
  const accepted = typesOf(destination).find((known) => known === type);
  if (!accepted) return { faults: [wrongType(destination)] };
  return readFields(body, destination, accepted);
}

function readFields(body: Fields, destination: Destination, type: BeneficiaryType): Reading {
  const fields = fieldsFor(destination, type);
  const values = new Map<string, string>();
  const faults = unusedFields(body, destination, fields);
  for (const field of fields) {
    const text = valueAt(body, field.name);
    if (text === undefined) {
      if (field.isRequired) faults.push(missing(field));
    } else if (typeof text === 'string') {
      const result = readField(field, text, within('account', values));
      if ('fault' in result) faults.push(result.fault);
      else values.set(field.name, result.value);
    } else {
      faults.push({ field: field.name, code: 'wrong_type', message: 'must be a string', expected: 'string' });
    }
  }
  const { country, currency, method } = destination;
  const names = Object.fromEntries([...values].filter(([name]) => !name.includes('.') && name !== 'type'));
  const nested = { address: within('address', values), account: within('account', values) };
  return { faults, details: { country, currency, method, type, ...names, ...nested } };
}

/** Fields that this destination does not use are refused, so that nothing is dropped in silence. */
function unusedFields(body: Fields, { country, method }: Destination, fields: readonly Field[]): FieldFault[] {
  const used = new Set(['country', 'currency', 'method', ...fields.map(({ name }) => name)]);
  const sent = Object.entries(body).flatMap(([name, value]) =>
    isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );
  return sent
    .filter((name) => !used.has(name))
    .map((field) => ({ field, code: 'unknown_field', message: `is not used for ${method} in ${country}` }));
}

function within(object: string, values: ReadonlyMap<string, string>): Record<string, string> {
  const prefix = `${object}.`;
  const inner = [...values].filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(inner.map(([name, value]) => [name.slice(prefix.length), value]));
}

function valueAt(body: Fields, name: string): unknown {
  const [first = '', second] = name.split('.');
  const value = Object.hasOwn(body, first) ? body[first] : undefined;
  if (second === undefined) return value;
  return isObject(value) && Object.hasOwn(value, second) ? value[second] : undefined;
}

function wrongType(destination: Destination): FieldFault {
  const allowed = typesOf(destination);
  return { field: 'type', code: 'not_allowed', message: `must be one of ${allowed.join(', ')}`, allowed };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
