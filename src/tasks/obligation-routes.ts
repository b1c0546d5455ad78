/** Routes that publish who must act on money, and until when. */
import Type from 'typebox';
import { type Route, read } from '../http/route.js';
import { textOrNull } from '../http/shapes.js';
import { duties } from './duty.js';
import { nextActors, type Obligation, publicObligations } from './obligation.js';

const fields = {
  account: Type.String({ description: 'The kind of account of the ledger that the money is on.' }),
  nextActor: Type.Enum([...nextActors], {
    description: 'Who acts next. `service`: the program itself. `bank`: a rail or a bank, which has the instruction.',
  }),
  action: Type.String({ description: 'What the next actor does.' }),
  due: Type.String({ description: 'Until when. Names of fields are those of the order.' }),
  afterwards: Type.String({ description: 'What happens when the time is over.' }),
  legalBasis: Type.String({ description: 'The law behind it.' }),
};
const example = {
  account: 'refund',
  nextActor: 'bank',
  action: 'pays the payer back',
  due: '`refundDueBy`',
  afterwards: 'An operator finds out why it was not paid.',
  legalBasis: '12 CFR 1005.34(c): refunded within three business days',
} as const;

const ObligationShape = Type.Object(
  { status: Type.String({ description: 'The status of the order.' }), ...fields },
  { title: 'Obligation', examples: [{ status: 'REFUND_PENDING', ...example }] },
);
const OperatorObligationShape = Type.Object(
  {
    record: Type.String({
      description: 'What has the money: `order`, `suspense`, `import_line`, `bank_line` or `bank_statement`.',
    }),
    state: Type.String({ description: 'The state of the record.' }),
    ...fields,
    task: textOrNull('The kind of task that comes of it, at once or when the time is over; null when none does.'),
    withinHours: Type.Union([Type.Integer(), Type.Null()], {
      description: 'After so many hours the task is overdue, unless it has a due time of its own.',
    }),
    escalatesTo: textOrNull('The role that answers for the task once it is overdue.'),
  },
  {
    title: 'OperatorObligation',
    examples: [
      {
        record: 'order',
        state: 'REFUND_PENDING',
        ...example,
        task: 'refund_failed',
        withinHours: 24,
        escalatesTo: 'admin',
      },
    ],
  },
);

export function obligationRoutes(all: readonly Obligation[]): Route[] {
  return [
    read({
      tag: 'Orders',
      access: { token: 'either', scope: 'orders', user: 'none' },
      method: 'GET',
      path: '/meta/obligations',
      operationId: 'listObligations',
      summary: 'List who must act on the money of an order, and until when',
      description: 'One entry for each status in which we have the money, and for each account that it can be on.',
      returns: 'The entries.',
      answer: Type.Array(ObligationShape),
      run: async () => publicObligations(all).map(({ state, ...entry }) => ({ status: state, ...fieldsOf(entry) })),
    }),
    read({
      tag: 'Tasks for operators',
      access: { token: 'operator', role: 'viewer' },
      method: 'GET',
      path: '/operator/obligations',
      operationId: 'listAllObligations',
      summary: 'List who must act on money that we hold, until when, and who answers for it then',
      description: 'Also for frozen money, money in suspense, and lines of statements that are not in the books.',
      returns: 'The entries.',
      answer: Type.Array(OperatorObligationShape),
      run: async () =>
        all.map((entry) => ({
          record: entry.record,
          state: entry.state,
          ...fieldsOf(entry),
          task: entry.task ?? null,
          withinHours: entry.task ? duties[entry.task].withinHours : null,
          escalatesTo: entry.task ? duties[entry.task].escalatesTo : null,
        })),
    }),
  ];
}

function fieldsOf({ account, nextActor, action, due, afterwards, legalBasis }: Omit<Obligation, 'record' | 'state'>) {
  return { account, nextActor, action, due, afterwards, legalBasis };
}
