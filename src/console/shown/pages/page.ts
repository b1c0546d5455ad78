/** What a screen shows of its own, before the plain fields of its record, or above the rows of its list. */
import type { ComponentChildren, ComponentType } from 'preact';
import type { Route } from '../../../http/route.js';
import type { Visitor } from '../../visitor.js';

export type Row = Readonly<Record<string, unknown>>;

export interface PageProps {
  /** The record. Of a list: nothing. */
  readonly value: Row;
  readonly params: Readonly<Record<string, string>>;
  /** The rows of a list, as far as the page has them. */
  readonly items: readonly Row[];
  /** The answers of the further routes that the screen declares, by their names. */
  readonly parts: Row;
  readonly routes: readonly Route[];
  readonly visitor: Visitor;
  /** The forms of what is decided on the page. */
  readonly actions: ComponentChildren;
}

export interface ShownPage {
  readonly Page: ComponentType<PageProps>;
  /** The fields of the record that the page shows, and that are shown nowhere else. */
  readonly fields: readonly string[];
  /** The page has a place of its own for the forms. */
  readonly placesActions?: boolean;
}
