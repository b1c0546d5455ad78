/** What the verb of a route may answer besides a value of its schema. */

/** JSON that is written already, where a serialiser of JSON numbers would not be exact. It must match the schema. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A page of a list. `next` is the address of the following page, which the header Link names; undefined on the last. */
export class ListPage<Items> {
  constructor(
    readonly items: Items,
    readonly next: string | undefined,
  ) {}

  get headers(): Record<string, string> {
    return this.next === undefined ? {} : { link: `<${this.next}>; rel="next"` };
  }
}
