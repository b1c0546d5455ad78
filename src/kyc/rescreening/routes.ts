/** What operators see of the re-screening. */
import Type, { type Static } from 'typebox';
import { type Route, read } from '../../http/route.js';
import { time } from '../cases/schemas.js';
import type { Run } from './run-store.js';
import { listNewestRuns } from './service.js';

const RunShape = Type.Object(
  {
    id: Type.Integer({ description: 'The number of the run.' }),
    listsVersion: Type.String({ description: 'The version of all lists together.' }),
    state: Type.Enum(['running', 'waiting', 'finished', 'superseded'], {
      description:
        '`waiting`: no process works on it now. `superseded`: a list changed again, and a newer run replaced it.',
    }),
    users: Type.Integer({ description: 'Users with an approved level when the run began.' }),
    screened: Type.Integer({
      description: 'Users screened so far. Users who were approved meanwhile with other lists are added.',
    }),
    newHits: Type.Integer({ description: 'Hits that the run found.' }),
    failed: Type.Integer({
      description: 'Users who could not be screened; see the log. They are tried again every 10 minutes.',
    }),
    startedAt: time('When the run began.'),
    finishedAt: Type.Optional(time('When everyone had been screened.')),
  },
  {
    title: 'ScreeningRun',
    examples: [
      {
        id: 12,
        listsVersion: '9b2c8f3e5d41402abc4b2a76b9719d91',
        state: 'running',
        users: 100_000,
        screened: 41_250,
        newHits: 3,
        failed: 0,
        startedAt: '2026-11-15T04:00:05.000Z',
      },
    ],
  },
);

export function rescreeningRoutes(): Route[] {
  return [
    read({
      tag: 'Screening for operators',
      access: { token: 'operator', role: 'viewer' },
      method: 'GET',
      path: '/operator/screening/runs',
      operationId: 'listScreeningRuns',
      summary: 'List the re-screenings and their progress',
      description: 'When a list changes, every user with an approved level is screened again.',
      returns: 'The last 20 runs, the newest first.',
      answer: Type.Array(RunShape),
      run: async (_call, database) => (await listNewestRuns(database)).map(encodeRun),
    }),
  ];
}

function encodeRun(run: Run): Static<typeof RunShape> {
  return {
    id: Number(run.runId),
    listsVersion: run.listsVersion,
    state: stateOf(run),
    users: run.people,
    screened: run.screened,
    newHits: run.hits,
    failed: run.failed,
    startedAt: run.startedAt.toISOString(),
    ...(run.finishedAt ? { finishedAt: run.finishedAt.toISOString() } : {}),
  };
}

function stateOf({ supersededAt, finishedAt, isLeased }: Run): Static<typeof RunShape>['state'] {
  if (finishedAt) return 'finished';
  if (supersededAt) return 'superseded';
  return isLeased ? 'running' : 'waiting';
}
