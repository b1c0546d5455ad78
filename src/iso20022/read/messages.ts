/** Reads what a bank sends, whatever it is of camt.052, .053, .054, pain.002 and camt.029, as a stream. */
import { setImmediate } from 'node:timers/promises';
import type { StatementPart } from '../statement.js';
import { type AnswerPart, RecallInterpreter, StatusInterpreter } from './answers.js';
import { type Bytes, textOf, UnknownEncoding } from './decoding.js';
import { textAt, Unreadable, type XmlElement } from './element.js';
import { detailOf } from './entries.js';
import { type ScanEvent, type ScanLimits, type ScanPlan, type ScanPosition, scanLimits } from './scan.js';
import { RecordScanner } from './scanner.js';
import { faultAt, StatementInterpreter, statementMessages } from './statements.js';

export type MessagePart = StatementPart | AnswerPart;

export interface ReadLimits extends ScanLimits {
  readonly characters: number;
}

const readLimits: ReadLimits = { ...scanLimits, characters: 2 ** 30 };

const plan: ScanPlan = {
  messages: {
    BkToCstmrStmt: ['Stmt'],
    BkToCstmrAcctRpt: ['Rpt'],
    BkToCstmrDbtCdtNtfctn: ['Ntfctn'],
    CstmrPmtStsRpt: ['OrgnlPmtInfAndSts'],
    RsltnOfInvstgtn: ['CxlDtls', 'OrgnlPmtInfAndSts'],
  },
  repeated: ['Ntry', 'TxInfAndSts'],
  converted: new Map([['TxDtls', detailOf]]),
};

/**
 * Yields the parts in the order of the file. A fault is a part as well: nothing that is in the file makes this throw.
 * The event loop gets its turn after each piece of the text.
 */
export async function* readMessages(bytes: Bytes, limits: ReadLimits = readLimits): AsyncGenerator<MessagePart> {
  const scanner = new RecordScanner(plan, limits);
  const interpreter = new Interpreter();
  let characters = 0;
  try {
    for await (const piece of textOf(bytes)) {
      characters += piece.length;
      if (characters > limits.characters) return yield tooLong(limits);
      yield* interpreter.parts(scanner.write(piece));
      if (scanner.isStopped) return;
      await setImmediate();
    }
  } catch (error) {
    if (!(error instanceof UnknownEncoding)) throw error;
    return yield { part: 'fault', message: error.message, position: { line: 1, path: '/' } };
  }
  yield* interpreter.parts(scanner.end());
  yield* interpreter.end();
}

function tooLong({ characters }: ReadLimits): MessagePart {
  return {
    part: 'fault',
    message: `The file has more than ${characters} characters.`,
    position: { line: undefined, path: '/' },
  };
}

/** What reads the records of one kind of message. */
interface MessageInterpreter {
  opened(at: ScanPosition): MessagePart[];
  closed(): MessagePart[];
  record(record: XmlElement, at: ScanPosition): MessagePart[];
  end?(): MessagePart[];
}

interface CurrentMessage {
  readonly name: string;
  readonly format: string;
  readonly interpreter: MessageInterpreter;
  isTold: boolean;
}

class Interpreter {
  #message: CurrentMessage | undefined;
  #hasMessage = false;

  *parts(events: readonly ScanEvent[]): Generator<MessagePart> {
    for (const event of events) yield* this.#part(event);
  }

  *end(): Generator<MessagePart> {
    if (this.#hasMessage) return;
    const message = 'The file is none of camt.052, camt.053, camt.054, pain.002 and camt.029.';
    yield { part: 'fault', message, position: { line: undefined, path: '/' } };
  }

  #part(event: ScanEvent): MessagePart[] {
    switch (event.event) {
      case 'fault':
        return [{ part: 'fault', message: event.message, position: event.at }];
      case 'opened':
        return this.#opened(event);
      case 'closed':
        return this.#closed(event.name);
      case 'record':
        return this.#record(event.record, event.at);
    }
  }

  #opened({ name, namespace, at }: Extract<ScanEvent, { event: 'opened' }>): MessagePart[] {
    if (this.#message) return [...this.#told(undefined), ...this.#message.interpreter.opened(at)];
    this.#hasMessage = true;
    const { kind, interpreter } = interpreterOf(name);
    const version = /([a-z]{4}\.\d{3}\.\d{3}\.\d{2})/.exec(namespace ?? '')?.[1];
    const format = version?.startsWith(kind) ? version : kind;
    this.#message = { name, format, interpreter, isTold: false };
    return [];
  }

  #closed(name: string): MessagePart[] {
    const message = this.#message;
    if (!message) return [];
    if (message.name !== name) return message.interpreter.closed();
    this.#message = undefined;
    return [...this.#told(undefined, message), ...(message.interpreter.end?.() ?? [])];
  }

  #record(record: XmlElement, at: ScanPosition): MessagePart[] {
    const told = this.#told(record);
    try {
      return [...told, ...(this.#message?.interpreter.record(record, at) ?? [])];
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return [...told, faultAt(error, at)];
    }
  }

  /** Tells the message once, before everything that is in it. Its head is the first record. */
  #told(head: XmlElement | undefined, message = this.#message): MessagePart[] {
    if (!message || message.isTold) return [];
    message.isTold = true;
    const messageId = head && (head.name === 'GrpHdr' ? textAt(head, 'MsgId') : textAt(head, 'Id'));
    return [{ part: 'message', format: message.format, messageId }];
  }
}

function interpreterOf(name: string): { kind: string; interpreter: MessageInterpreter } {
  if (name === 'CstmrPmtStsRpt') return { kind: 'pain.002', interpreter: new StatusInterpreter() };
  if (name === 'RsltnOfInvstgtn') return { kind: 'camt.029', interpreter: new RecallInterpreter() };
  const { format, kind } = statementMessages[name as keyof typeof statementMessages];
  return { kind: format, interpreter: new StatementInterpreter(kind) };
}
