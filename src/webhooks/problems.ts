/** The error codes of notifications, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const webhookProblems: ProblemCatalogue = {
  webhook_url_unreachable: {
    kind: 'impossible',
    title: 'The host of the url cannot be reached',
    remedy:
      'Its name must be in the public DNS, and all of its addresses must be public. In the sandbox it may also be the machine ' +
      'that the service runs on.',
  },
  webhook_not_registered: {
    kind: 'conflict',
    title: 'No url is registered',
    remedy: 'Register a url for the channel first. Without one, pull the events from GET /events.',
    exampleMembers: { channel: 'kyc' },
  },
  webhook_disabled: {
    kind: 'conflict',
    title: 'The url is disabled',
    remedy: 'Register it again, or register another one. Pending events are sent then.',
    exampleMembers: { channel: 'kyc', disabledBecause: 'failing' },
  },
  webhook_secret_rotating: {
    kind: 'conflict',
    title: 'The previous secret still signs',
    remedy: 'Wait until `previousSignsUntil`. If a secret has leaked, rotate with `overlap=none`.',
    exampleMembers: { previousSignsUntil: '2026-11-16T09:30:00.000Z' },
  },
  event_not_found: {
    kind: 'not_found',
    title: 'No such event',
    remedy: 'Check the id. The event may belong to someone else, or be older than 90 days.',
  },
  event_object_gone: {
    kind: 'conflict',
    title: 'The object of the event is no longer stored',
    remedy: 'Objects of events are stored for 30 days. Get the case or the order itself.',
  },
};
