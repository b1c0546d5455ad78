/** Reads a decision from a request, and checks which fields belong to which decision. */
import type { Static } from 'typebox';
import type { FieldFault } from '../../errors.js';
import type { OperatorDecisionShape } from './schemas.js';
import type { Decision } from './service.js';

type DecisionBody = Static<typeof OperatorDecisionShape>;
type Field = keyof DecisionBody;

const fieldsOf: Readonly<Record<DecisionBody['decision'], { needs: readonly Field[]; takes: readonly Field[] }>> = {
  approve: { needs: [], takes: ['internalReason'] },
  reject: { needs: ['publicReason', 'internalReason'], takes: ['final'] },
  revoke: { needs: ['publicReason', 'internalReason'], takes: [] },
  request: { needs: ['parts', 'publicReasons', 'internalReason'], takes: [] },
};

/** In the sandbox `internalReason` is optional, because no operator decides there. */
export function decisionFaults(body: unknown, options: { readonly isSandbox: boolean }): FieldFault[] {
  const sent = body as Partial<DecisionBody> | null | undefined;
  // `constructor` is a member of every object, but not a decision.
  if (!sent?.decision || !Object.hasOwn(fieldsOf, sent.decision)) return [];
  const known = fieldsOf[sent.decision];
  const needed = known.needs.filter((field) => !(options.isSandbox && field === 'internalReason'));
  const missing = needed.filter((field) => sent[field] === undefined);
  const allowed: readonly string[] = ['decision', 'version', ...known.needs, ...known.takes];
  const foreign = Object.keys(sent).filter((field) => !allowed.includes(field) && isField(field));
  return [
    ...missing.map((field) => ({ field, code: 'required', message: 'is required' })),
    ...foreign.map((field) => ({
      field,
      code: 'unknown_field',
      message: `does not go with the decision ${sent.decision}`,
    })),
  ];
}

export function readDecision(sent: DecisionBody): Decision {
  const { decision, internalReason, publicReason, publicReasons = [], parts = [] } = sent;
  switch (decision) {
    case 'approve':
      return { decision, internalReason };
    case 'request':
      return { decision, internalReason, parts, reasons: publicReasons };
    default: {
      const reasons = publicReason === undefined ? [] : [publicReason];
      return { decision, internalReason, reasons, isFinal: decision === 'reject' && sent.final === true };
    }
  }
}

/** The schema reports fields that belong to no decision. */
function isField(field: string): boolean {
  const { approve, reject, revoke, request } = fieldsOf;
  return [approve, reject, revoke, request].some(({ needs, takes }) =>
    ([...needs, ...takes] as readonly string[]).includes(field),
  );
}
