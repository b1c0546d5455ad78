/**
 * SQL with named values. A text says `WHERE merchant_id = $merchantId`, the call passes `{ merchantId }`, and
 * TypeScript reads the names from the text. So no value can take the place of another.
 */
import type { TenantId, UserId } from '../ids.js';

/**
 * Every SQL text of the service is declared with `statement(…)`; the tenancy test finds the texts by this call. The
 * name is for the server, which prepares a statement once per connection.
 */
export function statement<const Text extends string>(
  name: string,
  text: Text,
  { isPlannedEachTime = false } = {},
): Statement<never, NamesIn<Text>> {
  const { positional, names } = numberValues(text);
  const made: Statement<never, NamesIn<Text>> = {
    name,
    text: positional,
    names: names as NamesIn<Text>[],
    isPlannedEachTime,
    rows: () => made as never,
  };
  return made;
}

export interface Statement<Row, Name extends string = never> {
  readonly name: string;
  readonly text: string;
  readonly names: readonly Name[];
  /** The server plans it for the values of each call, for lists whose filters are optional. It is then not prepared. */
  readonly isPlannedEachTime: boolean;
  rows<NewRow>(): Statement<NewRow, Name>;
  /** Carries the type of the rows. It is never set at run time. */
  readonly row?: Row;
}

/** What a statement takes as a value. `undefined` is NULL. */
type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null | undefined | readonly SqlValue[];

/**
 * A user's id is never taken for a merchant's, and an amount is a bigint. A statement that is not for one merchant or
 * user says so by `null`.
 */
type ValueNamed<Name extends string> = Name extends 'merchantId'
  ? TenantId | null
  : Name extends 'userId'
    ? UserId | null
    : Name extends `${string}Minor`
      ? bigint | readonly (bigint | null | undefined)[] | null | undefined
      : SqlValue;

export type Values<Name extends string> = { readonly [Each in Name]: ValueNamed<Each> };

/** The values of a statement as arguments: none, when its text names none. */
export type ValuesOf<Name extends string> = [Name] extends [never] ? [] : [values: Values<Name>];

/** The words after each `$` of a text. */
type NamesIn<Text extends string, Found extends string = never> = Text extends `${string}$${infer Rest}`
  ? NamesIn<Rest, Found | FirstWord<Rest>>
  : Found;
type FirstWord<Text extends string> = Before<Before<BeforeBracket<BeforeSpace<Text>>, ','>, ':'>;
type BeforeBracket<Text extends string> = Before<Before<Before<Text, ')'>, ']'>, '['>;
type BeforeSpace<Text extends string> = Before<Before<Text, ' '>, '\n'>;
type Before<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${string}` ? Head : Text;

/** Replaces each `$name` by a position. The same name has the same position. */
export function numberValues(text: string): { positional: string; names: string[] } {
  const names: string[] = [];
  const positional = text.replace(/\$([a-z]\w*)/gi, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { positional, names };
}

/** The values in the order of their positions. Throws when one is missing. */
export function positionValues<Name extends string>(
  { name, names }: Statement<unknown, Name>,
  values: Values<Name> | undefined,
): unknown[] {
  return names.map((each) => {
    if (values === undefined || !(each in values)) throw new TypeError(`${name} has no value for $${each}`);
    return values[each];
  });
}

/** Runs statements: a transaction, or the database for a single read. */
export interface Queryable {
  query<Row, Name extends string>(statement: Statement<Row, Name>, ...values: ValuesOf<Name>): Promise<Row[]>;
}

/** Also recognises the rows that the service wrote. */
export interface SealedQueryable extends Queryable {
  /**
   * Seals a row of the merchant, so that the service recognises it as its own. Throws when the service has no key yet.
   */
  seal(merchantId: TenantId, content: string): Buffer;
  /** Tells `Database.onFault` that rows of the merchant are not as the service left them, even if the work fails. */
  reportFault(merchantId: TenantId, fault: string): void;
}

declare const transactionBrand: unique symbol;

/** Created by `Database.transaction` only, so a function that takes one cannot be called outside of a transaction. */
export interface Transaction extends SealedQueryable {
  /** Wakes a job of the worker after the commit. Nothing is woken when the transaction is rolled back. */
  wake(job: string): void;
  /** Runs the work and undoes it. Throws what the work throws; the transaction has failed then. */
  rehearse(work: () => Promise<unknown>): Promise<void>;
  readonly [transactionBrand]: true;
}
