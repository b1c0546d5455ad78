/** Checks the path, the query and the body of a call against the schemas of its route. */
import type { TObject } from 'typebox';
import { type Check, checkerOf, invalidFields } from './body/field-faults.js';
import { faultsOfNul, readQueryValues } from './body/query-values.js';
import type { Route } from './route.js';

export interface RawFields {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

interface Fields {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** Reports the faults of path, query and body together, so that the caller can correct them all at once. */
export function fieldReader(route: Route): (raw: RawFields) => Fields {
  const readParams = parameterReader(route.params);
  const readQuery = parameterReader(route.query);
  const checkBody = bodyChecker(route);
  return ({ params, query: rawQuery, body }) => {
    const path = readParams(params);
    const query = readQuery(rawQuery);
    const bodyFaults = checkBody(body);
    if (path.faults.length + query.faults.length + bodyFaults.length > 0)
      throw invalidFields([...path.faults, ...query.faults, ...bodyFaults]);
    return { params: path.values, query: query.values, body };
  };
}

function bodyChecker({ body, inspect, protocol, kind }: Route): Check {
  // An upload reads its form itself.
  if (!body || protocol === 'oauth' || kind === 'upload') return () => nothingRead.faults;
  const checkShape = checkerOf(body);
  if (!inspect) return checkShape;
  return (value) => {
    const faults = checkShape(value);
    const faulty = new Set(faults.map((fault) => fault.field));
    return [...faults, ...inspect(value).filter((fault) => !faulty.has(fault.field))];
  };
}

const nothingRead = { values: undefined, faults: [] } as const;

type ParameterReader = (raw: Record<string, unknown>) => { values: unknown; faults: ReturnType<Check> };

function parameterReader(schema: TObject | undefined): ParameterReader {
  if (!schema) return () => nothingRead;
  const check = checkerOf(schema);
  return (raw) => {
    const values = readQueryValues(schema, raw);
    return { values, faults: [...check(values), ...faultsOfNul(values)] };
  };
}
