/** Checks a message against a schema before it leaves, by libxml2: the library that many banks check with. */
import { XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm';

/** A message that breaks its schema. It is our fault: the checks before writing missed something. */
export class InvalidMessage extends Error {
  override readonly name = 'InvalidMessage';

  constructor(readonly faults: readonly SchemaFault[]) {
    super(faults.map(({ line, path, message }) => `${line} ${path}: ${message}`).join('\n'));
  }
}

export interface SchemaFault {
  readonly line: number;
  readonly path: string;
  readonly message: string;
}

/** Compiled schemas live as long as the process: there is one for each profile. */
export class SchemaValidator {
  readonly #validator: XsdValidator;

  constructor(schema: string) {
    const document = XmlDocument.fromString(schema);
    try {
      this.#validator = XsdValidator.fromDoc(document);
    } finally {
      document.dispose();
    }
  }

  /** Throws `InvalidMessage`. */
  validate(message: string): void {
    try {
      const document = XmlDocument.fromString(message);
      try {
        this.#validator.validate(document);
      } finally {
        document.dispose();
      }
    } catch (error) {
      if (error instanceof XmlLibError) throw new InvalidMessage(faultsOf(error));
      throw error;
    }
  }
}

/** The texts of libxml2 quote the message, so that they are for operators only. */
function faultsOf({ details, message }: XmlLibError): SchemaFault[] {
  if (details.length === 0) return [{ line: 0, path: '/', message }];
  return details.map((detail) => ({ line: detail.line, path: detail.xpath ?? '/', message: detail.message.trim() }));
}
