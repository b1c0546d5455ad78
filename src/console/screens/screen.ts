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
  /** Commands of a record that its address does not tell. */
  readonly commands?: readonly Target[];
}

/** An operation, and which field of the row is which parameter of its path. */
export interface Target {
  readonly operationId: string;
  readonly params: Readonly<Record<string, string>>;
  /** Fields of the row that its address needs as filters, by name. */
  readonly query?: Readonly<Record<string, string>>;
  /** Fields of the form that the row fills, by name. */
  readonly values?: Readonly<Record<string, string>>;
}
