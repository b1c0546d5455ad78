/** Reads the schemas of routes, so that lists, records and forms follow from them. Pure. */

/** What this room reads of a JSON schema. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly writeOnly?: boolean;
  readonly examples?: readonly unknown[];
  readonly title?: string;
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly description: string;
}

export function fieldsOf(schema: Schema | undefined): Field[] {
  const { properties = {}, required = [] } = schema ?? {};
  return Object.entries(properties).map(([name, declared]) => ({
    name,
    schema: plain(declared),
    isRequired: required.includes(name),
    isNullable: isNullable(declared),
    description: declared.description ?? plain(declared).description ?? '',
  }));
}

/** The schema without the alternative null. */
export function plain(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = others;
  return others.length === 1 && only ? only : schema;
}

function isNullable({ anyOf }: Schema): boolean {
  return anyOf?.some(({ type }) => type === 'null') ?? false;
}

/** The names of a filter that takes several with commas between them. */
export function namesOfSeveral({ pattern }: Schema): readonly string[] | undefined {
  const [, names, again] = /^\^\(([\w|]+)\)\(,\(([\w|]+)\)\)\*\$$/.exec(pattern ?? '') ?? [];
  return names !== undefined && names === again ? names.split('|') : undefined;
}

/** The objects of a list. */
export function rows(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
