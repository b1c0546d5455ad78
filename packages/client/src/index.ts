export type { CallOptions, List } from './calls.js';
export * from './errors.js';
export type { FollowOptions } from './follow.js';
export type * from './generated/api.schemas.js';
export type { Problem, ProblemCode, Problems } from './generated/problems.js';
export { type ClientUser, Remesa, type RemesaOptions, type UserClient } from './remesa.js';
export {
  type SignedRequest,
  type UnwrapOptions,
  unwrap,
  type WebhookNotification,
  WebhookRefused,
} from './webhooks.js';
