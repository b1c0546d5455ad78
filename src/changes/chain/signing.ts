/**
 * Signs the ends of the chains that grew. Any number of workers may do this at once: the number of a head decides who
 * signs it.
 */
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../clock.js';
import type { Database } from '../../postgres/database.js';
import type { Job } from '../../worker/worker.js';
import { type AuditHead, noHead, signHead } from './head.js';
import type { HeadFile } from './head-file.js';
import * as heads from './head-store.js';

/** Not after each change: a head costs a write to the disk for the database and one for the file. */
const signEverySeconds = 2;

/** At most so many ends are signed by one head. */
const endsPerHead = 100;

/** What signing and verifying work with. */
export interface SigningContext {
  readonly database: Database;
  readonly signingKey: KeyObject;
  readonly headFile: HeadFile;
  readonly clock: Clock;
}

export function signJob(context: SigningContext): Job {
  const signing = new HeadSigning(context);
  return { name: 'changes.sign', everySeconds: signEverySeconds, run: () => signing.run() };
}

export class HeadSigning {
  #isHeadPublished = false;

  constructor(readonly context: SigningContext) {}

  /** Signs one head. Returns 0 when no more ends wait. A crash at any point leaves work for the next round only. */
  async run(): Promise<number> {
    if (!this.#isHeadPublished) await this.#publishLastHead();
    const { database, headFile } = this.context;
    const head = await this.#addHead();
    if (!head) return 0;
    // If the file cannot be written (a full disk), the next round writes the last head.
    this.#isHeadPublished = false;
    // An end that stays unmarked is signed once more, which does no harm.
    for (const { merchantId, number } of head.ends) await heads.markEndSigned(database, merchantId, number);
    await headFile.append(head);
    this.#isHeadPublished = true;
    return Number(head.ends.length === endsPerHead);
  }

  /** Reads the last head before the ends, so that no head lists an older end than the head before it. */
  async #addHead(): Promise<AuditHead | undefined> {
    const { database, signingKey, clock } = this.context;
    for (;;) {
      const last = (await heads.findLastHead(database)) ?? noHead;
      const ends = await heads.listUnsignedEnds(database, endsPerHead);
      if (ends.length === 0) return undefined;
      const head = signHead(signingKey, last, ends, clock.now());
      if (await heads.addHead(database, head)) return head;
    }
  }

  /** Writes the head that is only in the database because a process stopped between the commit and the file. */
  async #publishLastHead(): Promise<void> {
    const { database, headFile } = this.context;
    const last = await heads.findLastHead(database);
    if (last && (await headFile.lastNumber()) !== last.number) await headFile.append(last);
    this.#isHeadPublished = true;
  }
}
