/** What a screen shows of its own, before the plain fields of its record, or above the rows of its list. */
import type { ComponentType } from 'preact';
import type { Route } from '../../../http/route.js';
import type { Visitor } from '../../visitor.js';

export type Row = Readonly<Record<string, unknown>>;

export interface PageProps {
  /** The record. Of a list: nothing. */
  readonly value: Row;
  readonly params: Readonly<Record<string, string>>;
  /** The answers of the further routes that the screen declares, by their names. */
  readonly parts: Row;
  readonly routes: readonly Route[];
  readonly visitor: Visitor;
}

export interface ShownPage {
  readonly Page: ComponentType<PageProps>;
  /** The fields of the record that the page shows, and that are shown nowhere else. */
  readonly fields: readonly string[];
}
