/** The gate as a rule, and as the only way to a payout. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merchantId, newMerchantPublicId } from '../../src/ids.js';
import { decideGate, type Findings, type GatePass } from '../../src/orders/order/gate.js';
import type { Order } from '../../src/orders/order/order.js';
import { Cleared } from '../../src/orders/order/review.js';
import type { Move } from '../../src/orders/order/transition.js';
import type { Match } from '../../src/screening/screening.js';
import { textFiles } from '../house/repository.js';

const order = {
  orderId: newMerchantPublicId('ord', merchantId(1)),
  version: 3,
  payee: { version: 2 },
  requirements: [],
  hasUnreadAnswers: false,
} as unknown as Order;
const match = { list: 'ofac', entryId: '1', entryHash: 'a' } as Match;
const plan = { rail: 'test', estimatedArrivalAt: new Date(0) };
const people = { earlierAttempts: 0 } as Findings['people'];
const clean: Findings = {
  ...{ readAtMs: 0, people },
  ...{ listsVersion: 'v1', areListsUsable: true, senderHits: [], beneficiaryMatches: [] },
  payerMatches: [],
  ...{ missingLevel: undefined, hasQuotedTerms: true, rules: [], isLedgerSound: true, route: plan },
};

const findings: fc.Arbitrary<Findings> = fc.record({
  readAtMs: fc.constant(0),
  people: fc.constant(people),
  listsVersion: fc.constantFrom('v1', 'v2'),
  areListsUsable: fc.boolean(),
  senderHits: fc.constantFrom(undefined, [], [newMerchantPublicId('hit', merchantId(1))]),
  beneficiaryMatches: fc.constantFrom(undefined, [], [match]),
  payerMatches: fc.constantFrom([], [match]),
  missingLevel: fc.constantFrom(undefined, 'LEVEL_2' as const),
  hasQuotedTerms: fc.boolean(),
  rules: fc.constantFrom([], [{ rule: 'amount', key: '1', explanation: 'large' }]),
  isLedgerSound: fc.boolean(),
  route: fc.constantFrom(plan, { obstacle: 'rail_paused' as const }),
});

describe('the decision of the gate', () => {
  it('passes only when nothing is wrong and nothing is missing, and sends to a person exactly what is wrong', () => {
    fc.assert(
      fc.property(findings, fc.boolean(), fc.boolean(), (found, isAsked, hasUnreadAnswers) => {
        const requirements = isAsked ? (['purpose'] as const) : [];
        const wrong = [
          isAsked || hasUnreadAnswers,
          found.senderHits?.length !== 0,
          found.beneficiaryMatches?.length !== 0,
          found.payerMatches.length > 0,
          found.missingLevel !== undefined,
          !found.hasQuotedTerms,
          found.rules.length > 0,
        ].filter(Boolean).length;
        const isMissing = !found.areListsUsable || !found.isLedgerSound || 'obstacle' in found.route;
        const decision = decideGate({ ...order, requirements, hasUnreadAnswers }, found);
        expect(decision.outcome).toBe(wrong > 0 ? 'refer' : isMissing ? 'wait' : 'pass');
        if (decision.outcome === 'refer') expect(decision.reasons).toHaveLength(wrong);
      }),
      { numRuns: 500 },
    );
  });

  it('gives a pass for this version of the order, of its beneficiary and of the lists, for five seconds, and for no other', () => {
    const decision = decideGate(order, clean);
    if (decision.outcome !== 'pass') throw new Error('not passed');
    const { pass } = decision;
    expect(pass.isFor(order, 'v1', 4_999)).toBe(true);
    expect(pass.isFor(order, 'v2', 0)).toBe(false);
    expect(pass.isFor({ ...order, version: 4 }, 'v1', 0)).toBe(false);
    expect(pass.isFor({ ...order, payee: { ...order.payee, version: 3 } }, 'v1', 0)).toBe(false);
    expect(pass.isFor({ ...order, orderId: newMerchantPublicId('ord', merchantId(1)) }, 'v1', 0)).toBe(false);
    expect(pass.isFor(order, 'v1', 5_000)).toBe(false);
  });

  it('does not ask again about a match that was cleared, until the entry or the beneficiary changes', () => {
    const findings = { beneficiaryVersion: 2, hits: [], matches: [match], payerMatches: [], rules: [] };
    const approved = { decision: 'approved', despiteHits: [], findings } as const;
    const cleared = (version: number) => new Cleared({ payee: { ...order.payee, version } }, [approved]);
    expect(cleared(2).hasMatch(match)).toBe(true);
    expect(cleared(3).hasMatch(match)).toBe(false);
    expect(cleared(2).hasMatch({ ...match, entryHash: 'b' })).toBe(false);
    expect(cleared(2).hasMatch({ ...match, entryId: '2' })).toBe(false);
  });
});

describe('what a decision clears for money that goes back', () => {
  const hitId = newMerchantPublicId('hit', merchantId(1));
  const ofPayer = { ...match, subjectName: 'Iris Blockwell' };
  const findings = { beneficiaryVersion: 2, hits: [hitId], matches: [], payerMatches: [ofPayer], rules: [] };
  const decided = (decision: 'approved' | 'refused', despiteHits: (typeof hitId)[]) =>
    new Cleared(order, [{ decision, despiteHits, findings }]);

  it('is the match of this payer with this entry, whether the review was approved or refused', () => {
    for (const decision of ['approved', 'refused'] as const) {
      expect(decided(decision, []).hasPayerMatch(ofPayer)).toBe(true);
      expect(decided(decision, []).hasPayerMatch({ ...ofPayer, subjectName: 'Iris Blokwell' })).toBe(false);
      expect(decided(decision, []).hasPayerMatch({ ...ofPayer, entryHash: 'b' })).toBe(false);
      expect(decided(decision, []).hasMatch(ofPayer)).toBe(false);
    }
  });

  it('is a hit of the sender only if it was decided in spite of it', () => {
    expect(decided('approved', []).hasHit(hitId)).toBe(false);
    expect(decided('refused', [hitId]).hasHit(hitId)).toBe(true);
  });
});

describe('no path pays out without the gate', () => {
  it('a pass cannot be made by hand, and no other move converts or pays out', () => {
    // @ts-expect-error: a pass is made by the gate only.
    const forged: GatePass = { orderId: order.orderId, orderVersion: 3, beneficiaryVersion: 2, plan };
    // @ts-expect-error: converting needs a pass.
    const convert: Move = { event: 'convert' };
    // @ts-expect-error: a payout needs a pass.
    const submit: Move = { event: 'submit_payout' };
    expect([forged, convert, submit]).toHaveLength(3);
  });

  it('one file has the two steps, one makes passes, one locks orders, and only the transitions write the state of one', () => {
    const sources = textFiles().filter(({ path }) => path.startsWith('src/'));
    const having = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
    expect(having(/event: '(convert|submit_payout)',\n\s+pass/)).toEqual(['src/orders/flow/gated-steps.ts']);
    expect(having(/new Pass\(/)).toEqual(['src/orders/order/gate.ts']);
    expect(having(/\.openRefund\(tx/)).toEqual(['src/orders/refunds/refunds.ts']);
    expect(having(/\brefunds\.open\(tx, \{ ownerId/)).toEqual(['src/payments/suspense/actions.ts']);
    expect(having(/UPDATE orders SET state/)).toEqual(['src/orders/order/store.ts']);
    expect(having(/\bsaveOrder\(tx/)).toEqual(['src/orders/order/transition.ts']);
    expect(having(/\blockOrderRow\(tx, named/)).toEqual(['src/orders/order/finding.ts']);
    const text = readFileSync(new URL('../../src/orders/order/transition.ts', import.meta.url), 'utf8');
    expect(text).toContain('if (!move.pass.isFor(before, this.listsVersion(), performance.now()))');
  });
});
