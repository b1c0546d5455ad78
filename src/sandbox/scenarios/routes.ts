/** Lets a merchant play whole stories in the sandbox, with real orders and real notifications. */
import Type, { type Static } from 'typebox';
import { command, type Route, read } from '../../http/route.js';
import { publicState } from '../../orders/order/transitions.js';
import { StatusShape, time } from '../../orders/order/wire/order-shape.js';
import type { ScenarioService, ShownRun } from './service.js';
import { scenarios } from './stories.js';

const described = { tag: 'Sandbox' } as const;
const access = { token: 'merchant', scope: 'orders', user: 'none' } as const;
const Name = Type.Enum(
  scenarios.map(({ name }) => name),
  { description: 'The name of the scenario.' },
);
const eventTypes = (description: string) => Type.Array(Type.String(), { description });

const NewRunShape = Type.Object(
  { name: Name },
  { title: 'NewScenarioRun', additionalProperties: false, examples: [{ name: 'happy_path' }] },
);
const ScenarioShape = Type.Object(
  {
    name: Name,
    description: Type.String({ description: 'What happens.' }),
    teaches: Type.String({ description: 'What you learn from it.' }),
    steps: Type.Array(Type.String(), { description: 'What happens, step by step.' }),
    events: Type.Object(
      {
        kyc: eventTypes('The types of the events on the channel `kyc`, in order.'),
        order: eventTypes('The types of the events on the channel `order`, in order.'),
      },
      { description: 'The events to expect, by channel.' },
    ),
    endsAs: StatusShape,
  },
  {
    title: 'Scenario',
    examples: [
      {
        name: 'cancelled_before_payment',
        description: 'The sender cancels before paying.',
        teaches: 'A cancellation without a refund.',
        steps: ['A user is registered', 'An order of 100 EUR is placed', 'The sender cancels'],
        events: {
          kyc: ['kyc.pending', 'kyc.submitted', 'kyc.approved'],
          order: ['order.awaiting_payment', 'order.cancelled'],
        },
        endsAs: 'CANCELLED',
      },
    ],
  },
);
const RunShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the run.' }),
    name: Name,
    isFinished: Type.Boolean({ description: 'Whether the run has ended.' }),
    failure: Type.Optional(Type.String({ description: 'Why the run stopped. Absent: it continues, or has ended.' })),
    stepsDone: Type.Integer({ description: 'How many steps are done.' }),
    stepsInAll: Type.Integer({ description: 'How many steps the scenario has.' }),
    nextStep: Type.Optional(Type.String({ description: 'What happens next. Absent at the end.' })),
    userId: Type.Optional(Type.Integer({ description: 'The id of the user that was created.' })),
    orderId: Type.Optional(Type.String({ description: 'The order of the run, for `GET /orders/{id}`.' })),
    status: Type.Optional(StatusShape),
    startedAt: time('When the run began, in real time.'),
  },
  {
    title: 'ScenarioRun',
    examples: [
      {
        id: 'run_0000013J8V2T9X5B3N6H0C7D2F',
        name: 'happy_path',
        isFinished: false,
        stepsDone: 4,
        stepsInAll: 5,
        nextStep: 'The order becomes COMPLETED',
        userId: 241958564297829,
        orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
        status: 'PAYMENT_RECEIVED',
        startedAt: '2026-11-15T09:41:00.000Z',
      },
    ],
  },
);

export function scenarioRoutes(service: ScenarioService): Route[] {
  return [
    read({
      ...described,
      access,
      method: 'GET',
      path: '/sandbox/scenarios',
      operationId: 'listScenarios',
      summary: 'List the scenarios',
      returns: 'All scenarios.',
      answer: Type.Array(ScenarioShape),
      run: async () => scenarios.map(encodeScenario),
    }),
    command({
      ...described,
      access,
      method: 'POST',
      path: '/sandbox/scenarios',
      operationId: 'playScenario',
      summary: 'Run a scenario',
      description:
        'Everything in a run is real: a new user, its KYC case, a quote, an order, payments, journals, and the notifications to you. Several runs may be under way at once; they do not share users. `GET /sandbox/scenarios/runs/{id}` shows how far it is.',
      returns: 'The run, which has begun.',
      body: NewRunShape,
      answer: RunShape,
      run: async (call, tx) => encodeRun(await service.begin(tx, call.by, call.caller.merchantId, call.body.name)),
    }),
    read({
      ...described,
      access,
      method: 'GET',
      path: '/sandbox/scenarios/runs/{id}',
      operationId: 'getScenarioRun',
      summary: 'Get a run of a scenario',
      returns: 'The run.',
      params: Type.Object({ id: Type.String({ description: 'The id of the run.' }) }),
      answer: RunShape,
      refusals: ['scenario_run_not_found'],
      run: async (call, database) => encodeRun(await service.find(database, call.caller.merchantId, call.params.id)),
    }),
  ];
}

function encodeScenario(scenario: (typeof scenarios)[number]): Static<typeof ScenarioShape> {
  const { name, description, teaches, steps, events, endsAs } = scenario;
  return {
    name,
    description,
    teaches,
    endsAs,
    steps: steps.map(({ title }) => title),
    events: { kyc: [...events.kyc], order: [...events.order] },
  };
}

function encodeRun({ run, scenario, order }: ShownRun): Static<typeof RunShape> {
  const { runId, state, step, facts, failure, startedAt } = run;
  const next = state === 'RUNNING' ? scenario?.steps[step]?.title : undefined;
  return {
    id: runId,
    name: run.scenario,
    isFinished: state === 'FINISHED',
    ...(failure === undefined ? {} : { failure }),
    stepsDone: step,
    stepsInAll: scenario?.steps.length ?? step,
    ...(next === undefined ? {} : { nextStep: next }),
    ...(facts.userId === undefined ? {} : { userId: facts.userId }),
    ...(order === undefined ? {} : { orderId: order.orderId, status: publicState(order.state) }),
    startedAt: startedAt.toISOString(),
  };
}
