/** The codes of notifications, with their titles and what to do about each. */

export const problemsOfWebhooks = {
  webhook_url_unreachable: {
    kind: 'impossible',
    title: 'The host of the url can not be reached',
    remedy:
      'Its name must be in the public DNS, and all of its addresses public ones. In the sandbox the machine that the service ' +
      'runs on will do as well.',
  },
  webhook_not_registered: {
    kind: 'conflict',
    title: 'No url is registered',
    remedy: 'Register one for the channel first. Without one, events are kept to be pulled from GET /events.',
    exampleMembers: { channel: 'kyc' },
  },
  webhook_disabled: {
    kind: 'conflict',
    title: 'The url is disabled',
    remedy: 'Register it again, or another one: what is pending is sent then.',
    exampleMembers: { channel: 'kyc', disabledBecause: 'failing' },
  },
  webhook_secret_rotating: {
    kind: 'conflict',
    title: 'The secret before still signs along',
    remedy: 'Wait until `previousSignsUntil`. If a secret has leaked, rotate with overlap=none.',
    exampleMembers: { previousSignsUntil: '2026-11-16T09:30:00.000Z' },
  },
  event_not_found: {
    kind: 'not_found',
    title: 'No such event',
    remedy: 'Check the id; it may not be yours, or be older than 90 days.',
  },
  event_object_gone: {
    kind: 'conflict',
    title: 'What the event reported is not kept any more',
    remedy: 'Objects of events are kept for 30 days. Ask for the order or case itself.',
  },
} as const;
