/** The shapes of pauses on the wire. */
import Type from 'typebox';
import { time } from '../../http/shapes.js';
import { pauseKinds, stoppable } from './pause.js';

const note = (description: string) => Type.String({ minLength: 1, maxLength: 1000, description });
const pauseKind = Type.Enum([...pauseKinds], { description: 'What is paused.' });
const pauseName = {
  kind: pauseKind,
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The name of the rail, the corridor as `USD-MXN`, or the client id of the merchant. Absent for everything.',
    }),
  ),
};
const stops = Type.Array(Type.Enum([...stoppable]), {
  minItems: 1,
  uniqueItems: true,
  description: '`payouts`: nothing is paid out or back. `orders`, `quotes`: no new ones.',
});

export const PauseShape = Type.Object(
  {
    kind: pauseKind,
    name: Type.String({ description: 'The rail, the corridor, the client id of the merchant, or `everything`.' }),
    stops,
    note: Type.String({ description: 'Why it was paused.' }),
    role: Type.Enum(['reviewer', 'admin'], { description: 'The role that resuming it needs.' }),
    pausedBy: Type.String({ description: 'The login of the operator who paused it.' }),
    pausedAt: time('Since when it is paused.'),
  },
  {
    title: 'Pause',
    examples: [
      {
        kind: 'rail',
        name: 'sandbox',
        stops: ['payouts'],
        note: 'The bank does not answer.',
        role: 'reviewer',
        pausedBy: 'rita',
        pausedAt: '2026-11-15T09:41:00.000Z',
      },
    ],
  },
);
export const NewPauseShape = Type.Object(
  {
    ...pauseName,
    stops: Type.Optional(stops),
    note: note('Why you pause it. Nothing personal: it stays in the audit log.'),
  },
  {
    title: 'NewPause',
    additionalProperties: false,
    examples: [
      { kind: 'corridor', name: 'USD-MXN', stops: ['payouts', 'orders', 'quotes'], note: 'The partner has no cover.' },
    ],
  },
);
export const ResumeShape = Type.Object(
  {
    ...pauseName,
    note: Type.Optional(note('Why it can go on. Nothing personal: it stays in the audit log.')),
  },
  {
    title: 'Resume',
    additionalProperties: false,
    examples: [{ kind: 'corridor', name: 'USD-MXN', note: 'The partner has cover again.' }],
  },
);
