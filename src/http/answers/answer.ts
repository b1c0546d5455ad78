/** Answers that a route may return instead of a plain value of its schema. */

/** JSON text, for numbers that a serialiser would not write exactly. It must match the schema. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A page of a list. `next` is the address of the next page, which the header Link contains; undefined on the last page. */
export class ListPage<Items> {
  constructor(
    readonly items: Items,
    readonly next: string | undefined,
  ) {}

  get headers(): Record<string, string> {
    return this.next === undefined ? {} : { link: `<${this.next}>; rel="next"` };
  }
}

/** A page for a caller who prefers HTML. Only routes declared with `readOrPage` answer it. */
export class HtmlPage {
  constructor(
    readonly html: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}
