/** Routes for operators: pause a rail, a corridor or a merchant, and resume it. */
import Type, { type Static } from 'typebox';
import { command, type Route, read } from '../../http/route.js';
import { NewPauseShape, PauseShape, ResumeShape } from './schemas.js';
import type { PauseService, ShownPause } from './service.js';

const described = { tag: 'Payouts for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' } } as const;

/** `refresh` makes this process know the change before the answer is sent. */
export function pauseRoutes(pauses: PauseService, refresh: () => Promise<void>): Route[] {
  return [
    read({
      ...forViewers,
      method: 'GET',
      path: '/operator/pauses',
      operationId: 'listPauses',
      summary: 'List what is paused',
      returns: 'Everything that is paused.',
      answer: Type.Array(PauseShape),
      run: async (_call, database) => (await pauses.list(database)).map(encodePause),
    }),
    command({
      ...forReviewers,
      method: 'POST',
      path: '/operator/pauses',
      operationId: 'pausePayouts',
      summary: 'Pause a rail, a corridor, a merchant or everything',
      description:
        'Takes effect at once on all nodes: no new payment is sent, and nobody can record that a bank is being instructed. Payments that a rail or a bank already has continue, and their outcome can be recorded. Orders that need what is paused wait. With `stops`, new orders and quotes are refused too.',
      returns: 'The pause. Pausing twice keeps the first note, and stops what both stop.',
      subject: 'instance',
      body: NewPauseShape,
      answer: PauseShape,
      refusals: ['merchant_not_found'],
      run: async (call, tx) => encodePause(await pauses.pause(tx, call.by, call.body)),
      afterCommit: refresh,
    }),
    command({
      ...forReviewers,
      method: 'POST',
      path: '/operator/pauses/resume',
      operationId: 'resumePayouts',
      summary: 'Resume what is paused',
      description: 'What waited is checked again and sent at once. What an admin has paused is resumed by an admin.',
      returns: 'The pause that ended.',
      subject: 'instance',
      body: ResumeShape,
      answer: PauseShape,
      refusals: ['merchant_not_found', 'pause_not_found'],
      run: async (call, tx) => encodePause(await pauses.resume(tx, call.by, call.body)),
      afterCommit: refresh,
    }),
  ];
}

function encodePause(pause: ShownPause): Static<typeof PauseShape> {
  const { kind, shownName, stops, note, role, pausedBy, pausedAt } = pause;
  return { kind, name: shownName, stops: [...stops], note, role, pausedBy, pausedAt: pausedAt.toISOString() };
}
