/** Answers that a route may return instead of a plain value of its schema. */

/** JSON text, for numbers that a serialiser would not write exactly. It must match the schema. */
export class JsonText {
  constructor(readonly text: string) {}
}

/**
 * A page of a list. `next` is the address of the next page, which the header Link contains; undefined on the last page.
 */
export class ListPage<Items> {
  constructor(
    readonly items: Items,
    readonly next: string | undefined,
  ) {}

  get headers(): Record<string, string> {
    return this.next === undefined ? {} : { link: `<${this.next}>; rel="next"` };
  }
}

/** The address of the next page: the same query, continued after this place. */
export function nextPage(path: string, query: object, after: string): string {
  const fields = Object.entries({ ...query, after }).filter(([, value]) => value !== undefined);
  return `${path}?${new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))}`;
}

/** Reads a place that is a time and an id with a dot between them. Undefined for any other text. */
export function placeAfter(after: string | undefined): { atMicros: string; id: string } | undefined {
  const [atMicros, id] = after?.split('.') ?? [];
  return atMicros === undefined || id === undefined ? undefined : { atMicros, id };
}

/** A page for a caller who prefers HTML. Only routes declared with `readOrPage` answer it. */
export class HtmlPage {
  constructor(
    readonly html: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}
