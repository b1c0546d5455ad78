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
