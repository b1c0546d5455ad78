/**
 * Reads XML as a stream of records: elements that are small and complete. What holds many of them, such as a statement,
 * is opened and closed. A fault in a record loses this record, and the next one is read again.
 */
import { Unreadable, type XmlElement } from './element.js';
import { type XmlHandler, XmlParser } from './parser.js';
import { type ScanEvent, type ScanLimits, type ScanPlan, type ScanPosition, scanLimits } from './scan.js';

interface Holder {
  readonly name: string;
  readonly path: string;
  readonly counts: Map<string, number>;
}

export class RecordScanner implements XmlHandler {
  readonly #plan: ScanPlan;
  readonly #limits: ScanLimits;
  readonly #parser: XmlParser;
  #events: ScanEvent[] = [];
  /** The open elements: those around the message, the message and what holds its records, those of a record. */
  #outer: string[] = [];
  #holders: Holder[] = [];
  #open: XmlElement[] = [];
  /** The names that hold records in the message. */
  #containers: readonly string[] = [];
  #namespace: string | undefined;
  #recordPath = '';
  #elements = 0;
  #taken = 0;
  /** The first fault of the record; or, between records, the first one since the last record. */
  #fault: { readonly message: string; readonly at: ScanPosition } | undefined;
  #hasReplacement = false;

  constructor(plan: ScanPlan, limits: ScanLimits = scanLimits) {
    this.#plan = plan;
    this.#limits = limits;
    this.#parser = new XmlParser(this, limits.textCharacters);
  }

  get isStopped(): boolean {
    return this.#parser.isStopped;
  }

  write(text: string): ScanEvent[] {
    this.#parser.write(text);
    return this.#take();
  }

  end(): ScanEvent[] {
    const isCut = this.#open.length + this.#holders.length + this.#outer.length > 0;
    if (isCut && !this.isStopped) this.fault('The file ends before its elements do.');
    this.#parser.end();
    this.#tellFault();
    return this.#take();
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const depth = this.#outer.length + this.#holders.length + this.#open.length;
    if (depth >= this.#limits.depth) {
      this.#parser.stop(`More than ${depth} elements stand within each other.`);
      return;
    }
    if (this.#holders.length === 0) {
      this.#openOuter(name, attributes);
      return;
    }
    if (this.#containers.includes(name)) {
      this.#openHolder(name);
      return;
    }
    if (this.#open.length > 0 && this.#plan.repeated.includes(name)) this.#abandon();
    if (this.#open.length > 0) this.#openElement(name, attributes);
    else this.#beginRecord(name, attributes);
  }

  close(name: string): void {
    const inner = this.#open.findLastIndex((element) => element.name === name);
    if (inner >= 0) {
      this.#closeTo(inner);
      return;
    }
    const holder = this.#holders.findLastIndex((held) => held.name === name);
    if (holder >= 0) {
      this.#closeHolder(holder);
      return;
    }
    const outer = this.#outer.lastIndexOf(name);
    if (outer < 0) {
      this.fault(`The end tag ${name.slice(0, 100)} ends nothing.`);
      return;
    }
    if (this.#holders.length > 0) {
      this.#noteUnclosed();
      this.#closeHolder(0);
    }
    this.#outer.length = outer;
  }

  text(text: string): void {
    const element = this.#open.at(-1);
    const trimmed = text.trim();
    if (!element || trimmed === '') return;
    if (trimmed.includes('\ufffd')) this.#tellReplacement();
    element.text = element.text === '' ? trimmed : `${element.text} ${trimmed}`;
    if (element.text.length <= this.#limits.textCharacters) return;
    element.text = '';
    this.fault(`A text is longer than ${this.#limits.textCharacters} characters.`);
  }

  fault(message: string): void {
    this.#fault ??= { message, at: { line: this.#parser.line, path: this.#path() } };
  }

  stopped(message: string): void {
    this.#tellFault();
    this.fault(message);
    this.#tellFault();
  }

  #take(): ScanEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #openOuter(name: string, attributes: Readonly<Record<string, string>>): void {
    const declared = Object.entries(attributes).find(([key, value]) => /^xmlns(:|$)/.test(key) && version.test(value));
    this.#namespace = declared?.[1] ?? this.#namespace;
    const message = messageName(name);
    const containers = Object.hasOwn(this.#plan.messages, message) ? this.#plan.messages[message] : undefined;
    if (!containers) {
      this.#outer.push(name);
      return;
    }
    this.#tellFault();
    this.#containers = containers;
    this.#holders = [{ name, path: `//${name}`, counts: new Map() }];
    this.#tellOpened(message);
  }

  #openHolder(name: string): void {
    this.#abandon();
    // One within one of its own name follows one whose end is damaged.
    const same = this.#holders.findLastIndex((holder) => holder.name === name);
    if (same >= 0) {
      this.#noteUnclosed();
      this.#closeHolder(same);
    }
    this.#holders.push({ name, path: this.#countedPath(name), counts: new Map() });
    this.#tellOpened(name);
  }

  #tellOpened(name: string): void {
    const at = { line: this.#parser.line, path: this.#path() };
    this.#events.push({ event: 'opened', name, namespace: this.#namespace, at });
  }

  #beginRecord(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#tellFault();
    this.#recordPath = this.#countedPath(name);
    this.#elements = 0;
    this.#taken = 0;
    this.#open = [this.#element(name, attributes)];
  }

  #openElement(name: string, attributes: Readonly<Record<string, string>>): void {
    const element = this.#element(name, attributes);
    this.#elements += 1;
    if (this.#elements > this.#limits.elements) this.fault(`It has more than ${this.#limits.elements} elements.`);
    else if (!this.#plan.converted.has(name)) this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  #element(name: string, attributes: Readonly<Record<string, string>>): XmlElement {
    return { name, attributes, text: '', children: [], taken: [], line: this.#parser.line };
  }

  /** Closes the open elements down to one, by its own end tag. */
  #closeTo(index: number): void {
    if (index < this.#open.length - 1) this.#noteUnclosed();
    const element = this.#open[index];
    this.#open.length = index;
    if (!element) return;
    if (index > 0) {
      this.#convert(element);
      return;
    }
    const at = { line: element.line, path: this.#recordPath };
    if (!this.#fault) this.#events.push({ event: 'record', record: element, at });
    this.#tellFault();
  }

  #convert(element: XmlElement): void {
    const convert = this.#plan.converted.get(element.name);
    if (!convert) return;
    this.#elements = 0;
    this.#taken += 1;
    if (this.#taken > this.#limits.converted) {
      this.fault(`It has more than ${this.#limits.converted} elements ${element.name}.`);
      return;
    }
    try {
      this.#open.at(-1)?.taken.push(convert(element));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const path = `${this.#path()}/${element.name}[${this.#taken}]/${error.path}`;
      this.#fault ??= { message: error.message, at: { line: error.line, path } };
    }
  }

  #closeHolder(index: number): void {
    this.#abandon();
    if (index < this.#holders.length - 1) this.#noteUnclosed();
    this.#tellFault();
    for (const { name } of this.#holders.splice(index).reverse())
      this.#events.push({ event: 'closed', name: messageName(name) });
  }

  #noteUnclosed(): void {
    this.fault('The end of an element is missing or damaged.');
  }

  /** Gives up the record that is being read: its end is damaged. */
  #abandon(): void {
    if (this.#open.length === 0) return;
    this.#noteUnclosed();
    this.#tellFault();
    this.#open = [];
  }

  #tellFault(): void {
    if (this.#fault) this.#events.push({ event: 'fault', message: this.#fault.message, at: this.#fault.at });
    this.#fault = undefined;
  }

  /** Once for a file. What has the character is read nevertheless. */
  #tellReplacement(): void {
    if (this.#hasReplacement) return;
    this.#hasReplacement = true;
    const message = 'The file has bytes that its encoding does not know. They were read as \ufffd.';
    this.#events.push({ event: 'fault', message, at: { line: this.#parser.line, path: this.#path() } });
  }

  #countedPath(name: string): string {
    const holder = this.#holders.at(-1);
    const count = (holder?.counts.get(name) ?? 0) + 1;
    holder?.counts.set(name, count);
    return `${holder?.path ?? '/'}/${name}[${count}]`;
  }

  #path(): string {
    if (this.#open.length > 0) return [this.#recordPath, ...this.#open.slice(1).map(({ name }) => name)].join('/');
    return this.#holders.at(-1)?.path ?? `/${this.#outer.join('/')}`;
  }
}

/** The first versions of a message have it in its name: `BkToCstmrStmtV01`. */
function messageName(name: string): string {
  return name.replace(/V\d\d$/, '');
}

/** `camt.053.001.08`, which banks write into namespaces of their own as well. */
const version = /\b[a-z]{4}\.\d{3}\.\d{3}\.\d{2}\b/;
