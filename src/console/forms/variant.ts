/** The part of a body that one of several forms of a command asks for. */
import { plain, type Schema } from '../screens/schema.js';
import type { Variant } from '../screens/screen.js';

/** What the form must have is required there, whatever the other forms of the command need. */
export function narrowedTo(
  { fields, optional = [], narrowed = {} }: Variant,
  { properties = {}, ...schema }: Schema,
  record: Readonly<Record<string, unknown>>,
): Schema {
  const known = [...fields, 'version'].filter((name) => name in properties);
  return {
    ...schema,
    properties: Object.fromEntries(
      known.map((name) => [name, withChoices(inWords(properties[name] ?? {}), record[narrowed[name] ?? ''])]),
    ),
    required: fields.filter((name) => !optional.includes(name)),
  };
}

/** The form stands for one kind of the command: a description need not say with which kind the field goes. */
function inWords(schema: Schema): Schema {
  const { description = '' } = schema;
  const [start = '', first = ''] = /^With [^:]*: (.)/.exec(description) ?? [];
  return start === '' ? schema : { ...schema, description: `${first.toUpperCase()}${description.slice(start.length)}` };
}

function withChoices(schema: Schema, choices: unknown): Schema {
  if (!Array.isArray(choices) || !schema.items) return schema;
  return { ...schema, items: { ...plain(schema.items), enum: choices } };
}
