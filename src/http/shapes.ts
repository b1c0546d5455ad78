/** Shapes that the routes of many rooms have. */
import Type from 'typebox';

export const time = (description: string) => Type.String({ format: 'date-time', description });
/** When a bank booked something. `readBookingTime` reads it. */
export const bookingTime = (description: string) =>
  Type.String({
    maxLength: 40,
    description: `${description} A time, or a date, which counts from its beginning (UTC).`,
  });
export const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });
export const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** The size of a page, in the query of a list. */
export const pageLimit = (usual = 50, most = 200) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `The size of a page; ${usual} by default.` }));

/** Where a page begins, in the query of a list whose answer has the header `Link`. */
export const pageStart = (pattern: string) =>
  Type.Optional(
    Type.String({ pattern, description: 'Where the page begins. Take it from the header `Link` of the page before.' }),
  );

/** A filter that takes one of these names, or several with commas between them. Read it with `namesIn`. */
export function severalOf(names: readonly string[], description: string) {
  const one = `(${names.join('|')})`;
  return Type.String({
    pattern: `^${one}(,${one})*$`,
    maxLength: 1000,
    description: `${description} Several values with commas between them: \`${names.slice(0, 2).join(',')}\`. The values are ${names.map((name) => `\`${name}\``).join(', ')}.`,
    examples: [names.slice(0, 2).join(',')],
  });
}

/** Undefined without the filter. */
export function namesIn<Name extends string>(names: readonly Name[], text: string | undefined): Name[] | undefined {
  const asked = text?.split(',');
  return asked && names.filter((name) => asked.includes(name));
}
