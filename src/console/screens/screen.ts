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
  /** The kind of task that the record is: after a decision, the next of it opens. */
  readonly task?: string;
  /** Commands elsewhere that begin with this record, and which of its fields fill their forms. */
  readonly links?: readonly Target[];
  /** Further routes whose answers the page shows, by name. None of them is a reading that the log must know of. */
  readonly parts?: Readonly<Record<string, string | Part>>;
  /** Of a command: each kind of it has a form of its own, and the operator chooses one first. */
  readonly kinds?: readonly Variant[];
}

/** A further route that a page reads. */
export interface Part {
  readonly operationId: string;
  /** Its filters, by the names of the parameters of the page. */
  readonly query?: Readonly<Record<string, string>>;
  readonly constants?: Readonly<Record<string, string>>;
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
  /** Fields of the form that are always the same. */
  readonly constants?: Readonly<Record<string, string>>;
  /** The operator still works on the record afterwards, so the next one opens only on demand. */
  readonly staysHere?: boolean;
  /** The list in which the next record is found after this decision, instead of the tasks. */
  readonly next?: { readonly operationId: string; readonly query: Readonly<Record<string, string>> };
  /** The form is one of several for the command, such as one for each decision. */
  readonly variant?: Variant;
}

/** A part of a command as a form of its own. */
export interface Variant {
  /** In the address, and in the fields of the record that name what is possible. */
  readonly name: string;
  /** What the button says. */
  readonly act: string;
  readonly hint: string;
  /** Fields that are sent unasked. */
  readonly fixed: Readonly<Record<string, string>>;
  /** Fields that the record fills, by name. */
  readonly taken?: Readonly<Record<string, string>>;
  /** The fields that are asked for. */
  readonly fields: readonly string[];
  /** Those of them that may stay empty. */
  readonly optional?: readonly string[];
  /** Fields whose choices are a field of the record. */
  readonly narrowed?: Readonly<Record<string, string>>;
}
