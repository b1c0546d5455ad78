/** Turns the errors of a schema into faults that a caller can correct: all of them, each with its limits. */
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { type FieldFault, RemesaError } from '../../errors.js';

/** A small request must not cause a large answer. */
const faultsAtMost = 100;

// The library stops at eight by default.
Settings.Set({ maxErrors: 2 * faultsAtMost });

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Record<string, unknown>;
  readonly message: string;
}

export type Check = (value: unknown) => readonly FieldFault[];

/** Compiles the schema for its first value: a start does not wait for the schemas of all routes. */
export function checkerOf(schema: TSchema): Check {
  return (value) => {
    const validator = validatorOf(schema);
    return validator.Check(value) ? [] : faultsOf(validator.Errors(value) as SchemaError[]);
  };
}

const validators = new WeakMap<TSchema, Validator>();

/** Routes with the same schema share its validator. */
function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const compiled = Compile(schema);
  validators.set(schema, compiled);
  return compiled;
}

/** Makes the error `invalid_fields` with the first hundred faults. */
export function invalidFields(found: readonly FieldFault[]): RemesaError {
  const errors = found.slice(0, faultsAtMost);
  const [first] = errors;
  const isOne = errors.length === 1 && first;
  const more = found.length > errors.length ? 'More than ' : '';
  const detail = isOne ? sentenceOf(first) : `${more}${errors.length} fields are invalid.`;
  return new RemesaError('invalid', 'invalid_fields', detail, { errors });
}

/** A fault of the whole body has no field name. */
function sentenceOf({ field, message }: FieldFault): string {
  return field === '' ? `The body ${message}.` : `${field}: ${message}`;
}

function faultsOf(errors: readonly SchemaError[]): FieldFault[] {
  const unions = new Set(errors.filter((error) => error.keyword === 'anyOf').map((error) => error.instancePath));
  const faults = errors.flatMap((error) => {
    const insideUnion = error.keyword !== 'anyOf' && unions.has(error.instancePath);
    // The library reports an unknown field twice; the error with the names suffices.
    return insideUnion || error.keyword === 'boolean' ? [] : describe(error, errors);
  });
  return faults.length > 0 ? faults : [fault('', 'invalid', 'is invalid')];
}

function describe(error: SchemaError, all: readonly SchemaError[]): FieldFault[] {
  const field = fieldName(error.instancePath);
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return list(params.requiredProperties).map((name) => fault(join(field, name), 'required', 'is required'));
    case 'additionalProperties':
      return list(params.additionalProperties).map((name) =>
        fault(join(field, name), 'unknown_field', 'is not a field of this request'),
      );
    case 'type':
      return [
        fault(field, 'wrong_type', `must be ${article(String(params.type))}`, {
          expected: params.type,
        }),
      ];
    case 'minLength':
      return [
        fault(field, 'too_short', `must have at least ${params.limit} characters`, {
          min: params.limit,
        }),
      ];
    case 'maxLength':
      return [fault(field, 'too_long', `must have at most ${params.limit} characters`, { max: params.limit })];
    case 'minimum':
      return [fault(field, 'too_small', `must be at least ${params.limit}`, { min: params.limit })];
    case 'maximum':
      return [fault(field, 'too_large', `must be at most ${params.limit}`, { max: params.limit })];
    case 'enum':
      return [notAllowed(field, list(params.allowedValues))];
    case 'const':
      return [notAllowed(field, [String(params.allowedValue)])];
    case 'anyOf':
      return [notAllowed(field, allowedConstants(error.instancePath, all))];
    case 'format':
      return [fault(field, 'wrong_format', `must be a valid ${params.format}`, { expected: params.format })];
    default:
      return [fault(field, 'wrong_format', error.message)];
  }
}

function notAllowed(field: string, allowed: readonly string[]): FieldFault {
  const message =
    allowed.length > 12 ? 'must be one of the values in `allowed`' : `must be one of ${allowed.join(', ')}`;
  return fault(field, 'not_allowed', message, { allowed });
}

function allowedConstants(instancePath: string, all: readonly SchemaError[]): string[] {
  return all
    .filter((error) => error.keyword === 'const' && error.instancePath === instancePath)
    .map((error) => String(error.params.allowedValue));
}

function fault(field: string, code: string, message: string, limits: Record<string, unknown> = {}): FieldFault {
  return { field, code, message, ...limits };
}

function fieldName(instancePath: string): string {
  return instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}

function join(parent: string, name: string): string {
  return parent ? `${parent}.${name}` : name;
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function article(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
