/** Lets a merchant play whole stories in the sandbox, with real orders and real notifications. */
import Type, { type Static } from 'typebox';
import { command, type Route, read } from '../http/route.js';
import { StatusShape } from '../orders/order-shape.js';
import { publicState } from '../orders/transitions.js';
import type { ScenarioRun, ScenarioService } from './scenario-service.js';
import { scenarios } from './scenarios.js';

const described = { tag: 'Sandbox' } as const;
const access = { token: 'merchant', scope: 'orders', user: 'none' } as const;
const Name = Type.Enum(
  scenarios.map(({ name }) => name),
  { description: 'The name of the scenario.' },
);

const NewRunShape = Type.Object(
  { name: Name },
  { title: 'NewScenarioRun', additionalProperties: false, examples: [{ name: 'happy_path' }] },
);
const ScenarioShape = Type.Object(
  { name: Name, description: Type.String({ description: 'What happens.' }) },
  { title: 'Scenario', examples: [{ name: 'happy_path', description: 'A new user is verified and pays.' }] },
);
const RunShape = Type.Object(
  {
    id: Type.String({ description: 'The id of the run: that of its order.' }),
    name: Name,
    userId: Type.Integer({ description: 'The id of the user that was created.' }),
    orderId: Type.String({ description: 'The order of the run, for `GET /orders/{id}`.' }),
    status: StatusShape,
    isFinished: Type.Boolean({ description: 'Whether the order has reached the end of the story.' }),
  },
  {
    title: 'ScenarioRun',
    examples: [
      {
        id: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
        name: 'happy_path',
        userId: 241958564297829,
        orderId: 'ord_0000013J8V2T9X5B3N6H0C7D2F',
        status: 'COMPLETED',
        isFinished: true,
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
      summary: 'List the stories that the sandbox can play',
      returns: 'All scenarios.',
      answer: Type.Array(ScenarioShape),
      run: async () => scenarios.map(({ name, description }) => ({ name, description })),
    }),
    command({
      ...described,
      access,
      method: 'POST',
      path: '/sandbox/scenarios',
      operationId: 'playScenario',
      summary: 'Play a story',
      description:
        'Creates a user, approves its identity, and creates a quote, a beneficiary, an order and its payment. The order then moves on as every order does, and you are notified of each step.',
      returns: 'The run, whose order is paid.',
      body: NewRunShape,
      answer: RunShape,
      refusals: ['corridor_unavailable', 'rates_unavailable', 'payout_unavailable', 'ledger_fault'],
      async run(call, tx) {
        const scenario = scenarios.find(({ name }) => name === call.body.name);
        if (!scenario) throw new Error('the schema accepts known scenarios only');
        return encodeRun(await service.play(tx, call.by, call.caller.merchantId, scenario));
      },
    }),
    read({
      ...described,
      access,
      method: 'GET',
      path: '/sandbox/scenarios/runs/{id}',
      operationId: 'getScenarioRun',
      summary: 'Get a run of a story',
      returns: 'The run.',
      params: Type.Object({ id: Type.String({ description: 'The id of the run.' }) }),
      answer: RunShape,
      refusals: ['scenario_run_not_found'],
      run: async (call, database) =>
        encodeRun(await service.find(database, call.caller.merchantId, call.params.id)),
    }),
  ];
}

function encodeRun({ scenario, order }: ScenarioRun): Static<typeof RunShape> {
  const { orderId, userId } = order;
  const status = publicState(order.state);
  return {
    id: orderId,
    name: scenario.name,
    ...{ userId, orderId, status },
    isFinished: status === scenario.endsAs,
  };
}
