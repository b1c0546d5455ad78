/** Routes by which merchants see and change their own secrets. */
import Type from 'typebox';
import { command, type Route, read } from '../../http/route.js';
import { findMerchantById, listSecrets } from '../service.js';
import { addRestrictedSecret, endRestrictedSecret, rotateOwnSecret } from './own-secrets.js';
import { encodeSecret, NewOwnSecretShape, OwnRotationShape, OwnSecretShape, SecretsShape } from './secret-schemas.js';

const described = { tag: 'Tokens', access: { token: 'merchant', scope: 'webhooks', user: 'none' } } as const;
/** Without a key, a lost answer would be a lost secret. */
const secretAnswer = { keepForHours: 24, isSecret: true, isRequired: true } as const;
const secretId = Type.String({
  pattern: '^[1-9][0-9]{0,17}$',
  description: 'The id of the secret.',
  examples: ['9'],
});

export function ownSecretRoutes(): Route[] {
  return [listRoute(), rotateRoute(), createRoute(), endRoute()];
}

function listRoute(): Route {
  return read({
    ...described,
    method: 'GET',
    path: '/merchant/secrets',
    operationId: 'listOwnSecrets',
    summary: 'List your client secrets',
    description:
      'Shows which secrets work, and since when, never the secrets themselves. If you did not order one of them, tell the operator at once.',
    returns: 'Your secrets.',
    answer: SecretsShape,
    async run({ caller: { merchantId } }, database) {
      const merchant = await findMerchantById(database, merchantId);
      const secrets = await listSecrets(database, merchantId);
      return { clientId: merchant?.clientId ?? '', secrets: secrets.map(encodeSecret) };
    },
  });
}

function rotateRoute(): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/merchant/secrets/rotate',
    operationId: 'rotateOwnSecret',
    summary: 'Replace your client secret',
    description:
      'Once in 7 days. The secret before it works on until you make the next one. You are told (`merchant.secret_rotated`). ' +
      'If a secret has leaked, ask the operator, who ends it at once.',
    returns: 'The new secret, shown once.',
    body: OwnRotationShape,
    answer: OwnSecretShape,
    idempotency: secretAnswer,
    refusals: ['client_secret_wrong', 'secret_rotated_recently'],
    run: ({ by, caller, body }, tx) => rotateOwnSecret(tx, by, caller.merchantId, body.currentSecret),
  });
}

function createRoute(): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/merchant/secrets',
    operationId: 'createOwnSecret',
    summary: 'Make a restricted client secret',
    description:
      'For a program that needs less than everything, such as one that makes reports: its tokens have at most these scopes. ' +
      'It cannot change secrets. You are told (`merchant.secret_created`).',
    returns: 'The new secret, shown once.',
    body: NewOwnSecretShape,
    answer: OwnSecretShape,
    idempotency: secretAnswer,
    refusals: ['client_secret_wrong', 'too_many_secrets'],
    run: ({ by, caller, body }, tx) => addRestrictedSecret(tx, by, caller.merchantId, body),
  });
}

function endRoute(): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/merchant/secrets/{secretId}/end',
    operationId: 'endOwnSecret',
    summary: 'End a restricted client secret',
    description:
      'It and all your tokens end, on every node within 5 seconds; get a new token afterwards. Only secrets with `scopes`: the operator ends the others. You are told (`merchant.secret_ended`).',
    returns: 'The secrets that are left.',
    params: Type.Object({ secretId }),
    body: OwnRotationShape,
    answer: SecretsShape,
    refusals: ['client_secret_wrong', 'merchant_secret_not_found'],
    async run({ by, caller, params, body }, tx) {
      const asked = { currentSecret: body.currentSecret, secretId: params.secretId };
      const { clientId, secrets } = await endRestrictedSecret(tx, by, caller.merchantId, asked);
      return { clientId, secrets: secrets.map(encodeSecret) };
    },
  });
}
