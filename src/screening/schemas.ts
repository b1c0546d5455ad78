/** Shapes of the screening room on the wire. */

import Type from 'typebox';
import { time } from '../http/shapes.js';

export const ScreeningListShape = Type.Object(
  {
    name: Type.String({
      description: 'The name of the list, as in `SCREENING_LISTS`; `sandbox` is the built-in one.',
    }),
    format: Type.Enum(['ofac', 'opensanctions', 'built_in'], { description: 'The layout of its files.' }),
    state: Type.Enum(['ok', 'loading', 'missing', 'too_old'], {
      description:
        '`ok`: in use. `loading`: not read yet. `missing`: never read successfully, see `lastError`. `too_old`: still searched, ' +
        'but not written for longer than `SCREENING_LIST_MAX_AGE_DAYS`. Unless every list is `ok`, nobody is cleared automatically.',
    }),
    entries: Type.Integer({
      description: 'People, organisations, ships and aircraft in the version in use.',
    }),
    names: Type.Integer({ description: 'Their names, aliases included.' }),
    version: Type.Optional(Type.String({ description: 'The hash of the files in use.' })),
    loadedAt: Type.Optional(time('When this process loaded the version in use.')),
    writtenAt: Type.Optional(time('When the oldest file of the list was last written.')),
    ageSeconds: Type.Optional(Type.Integer({ description: 'The time since `writtenAt`.' })),
    lastError: Type.Optional(
      Type.Object(
        {
          message: Type.String({ description: 'What is wrong with the files.' }),
          at: time('When it was noticed.'),
        },
        {
          description: 'Why the present files were refused. The version before stays in use. Absent when all is well.',
        },
      ),
    ),
  },
  {
    title: 'ScreeningList',
    examples: [
      {
        name: 'ofac',
        format: 'ofac',
        state: 'ok',
        entries: 7379,
        names: 17061,
        version: '5d41402abc4b2a76b9719d911017c592',
        loadedAt: '2026-11-15T09:30:00.000Z',
        writtenAt: '2026-11-15T04:00:00.000Z',
        ageSeconds: 19_800,
      },
    ],
  },
);
