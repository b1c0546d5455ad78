/** English texts that all hosted pages have. */
export const english = {
  frame: {
    skip: 'Skip to the content',
    language: 'Language',
    errorTitle: 'Error: {{title}}',
    problem: 'There is a problem',
    helpHeading: 'Do you need help?',
    helpMail: 'Write to {{merchant}}: {{email}}',
    helpPage: 'Help from {{merchant}}',
    helpAsk: 'Ask {{merchant}}, who sent you here.',
    returnTo: 'Back to {{merchant}}',
    reference: 'Reference: {{id}}',
    licensedBy: 'Money is moved by {{name}}, {{address}}. {{licence}}, number {{number}}.',
    supervisedBy: 'Supervised by {{supervisor}}, {{phone}}.',
    complaints: 'Complaints: {{email}}',
  },
  failures: {
    notFound: {
      title: 'There is no such page',
      text: 'The address may be incomplete. Open the link that you were given once more.',
    },
    unreadable: {
      title: 'That could not be read',
      text: 'What your browser sent did not arrive as it should. Go back and try again.',
    },
    tooLarge: {
      title: 'That was too large',
      text: 'The files are too large. Go back and choose smaller ones, one at a time.',
    },
    tooMany: {
      title: 'Too many attempts',
      text: 'There were too many attempts in a short time. Wait a minute, then go back and try again.',
    },
    busy: {
      title: 'We are very busy at the moment',
      text: 'What you saved is kept. Wait a minute, then go back and try again.',
    },
    unsure: {
      title: 'Please check again',
      text: 'The connection broke while your answers were saved. Open your link again to see whether they arrived.',
    },
    broken: {
      title: 'Something went wrong on our side',
      text: 'What you saved is kept. Go back and try again in a few minutes.',
    },
    again: 'Try again',
  },
} as const;
