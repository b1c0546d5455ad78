/**
 * Declares a screen of the console. A GET of the operators' API is a screen by itself: what is not declared here
 * follows from its schemas.
 */
export interface Screen {
  /** The GET that the screen shows. */
  readonly operationId: string;
  readonly title: string;
  /** The columns of a list, by the names of its fields. Absent: all plain fields. */
  readonly columns?: readonly string[];
  /** What an empty list means, and what makes something appear in it. */
  readonly empty?: string;
  /** The page of a row. Absent: the GET below this list whose parameter the row has. */
  readonly record?: Target;
  /** Commands on a row that has no page of its own. */
  readonly rowCommands?: readonly Target[];
  /** Of a command: no page has what it answers, so that the answer is shown. */
  readonly isAnswer?: boolean;
  /** Commands whose forms stand on the page of the record, so that what is decided is in sight. */
  readonly actions?: readonly Target[];
  /** Further routes whose answers the page shows, by name. None of them is a reading that the log must know of. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** An operation, and which field of the row is which parameter of its path. */
export interface Target {
  readonly operationId: string;
  readonly params: Readonly<Record<string, string>>;
  /** Fields of the row that its address needs as filters, by name. */
  readonly query?: Readonly<Record<string, string>>;
  /** Its form has nothing to fill in: a click in the row sends it. */
  readonly isImmediate?: boolean;
  /** Fields of the form that the row fills, by name. */
  readonly values?: Readonly<Record<string, string>>;
}
