/** A decision as it comes in: which fields go with which verb. */
import type { Static } from 'typebox';
import type { FieldFault } from '../../errors.js';
import type { DecisionShape } from '../schemas.js';
import type { Decision } from './service.js';

type Given = Static<typeof DecisionShape>;
type Field = keyof Given;

const fieldsOf: Readonly<Record<Given['decision'], { needs: readonly Field[]; takes: readonly Field[] }>> = {
  approve: { needs: [], takes: ['internalReason'] },
  reject: { needs: ['publicReason', 'internalReason'], takes: ['final'] },
  revoke: { needs: ['publicReason', 'internalReason'], takes: [] },
  request: { needs: ['parts', 'publicReasons', 'internalReason'], takes: [] },
};

/** `internalReason` may be left out where there is no operator to give one. */
export function decisionFaults(body: unknown, options: { readonly isSandbox: boolean }): FieldFault[] {
  const given = body as Partial<Given> | null | undefined;
  // `constructor` is a member of every object, and no decision.
  if (!given?.decision || !Object.hasOwn(fieldsOf, given.decision)) return [];
  const known = fieldsOf[given.decision];
  const needed = known.needs.filter((field) => !(options.isSandbox && field === 'internalReason'));
  const missing = needed.filter((field) => given[field] === undefined);
  const allowed: readonly string[] = ['decision', ...known.needs, ...known.takes];
  const foreign = Object.keys(given).filter((field) => !allowed.includes(field) && isField(field));
  return [
    ...missing.map((field) => ({ field, code: 'required', message: 'is required' })),
    ...foreign.map((field) => ({
      field,
      code: 'unknown_field',
      message: `does not go with the decision ${given.decision}`,
    })),
  ];
}

export function readDecision(given: Given): Decision {
  const { decision, internalReason, publicReason, publicReasons = [], parts = [] } = given;
  switch (decision) {
    case 'approve':
      return { decision, internalReason };
    case 'request':
      return { decision, internalReason, parts, reasons: publicReasons };
    default: {
      const reasons = publicReason === undefined ? [] : [publicReason];
      return { decision, internalReason, reasons, isFinal: decision === 'reject' && given.final === true };
    }
  }
}

/** What no decision knows is told by the schema. */
function isField(field: string): boolean {
  const { approve, reject, revoke, request } = fieldsOf;
  return [approve, reject, revoke, request].some(({ needs, takes }) =>
    ([...needs, ...takes] as readonly string[]).includes(field),
  );
}
