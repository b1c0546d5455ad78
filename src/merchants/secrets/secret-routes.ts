/** Routes by which operators see which secrets of a merchant work, and end one. */
import Type from 'typebox';
import { command, type Route, read } from '../../http/route.js';
import { endSecret, getMerchant, listSecrets, merchantIdOf } from '../service.js';
import { encodeSecret, SecretsShape } from './secret-schemas.js';

const described = { tag: 'Merchants', answer: SecretsShape } as const;
const clientId = Type.String({ description: 'The client id of the merchant.' });
const secretId = Type.String({
  pattern: '^[1-9][0-9]{0,17}$',
  description: 'The id of the secret.',
  examples: ['12'],
});

export function secretRoutes(): Route[] {
  return [listRoute(), endRoute()];
}

function listRoute(): Route {
  return read({
    ...described,
    method: 'GET',
    path: '/operator/merchants/{clientId}/secrets',
    operationId: 'listMerchantSecrets',
    summary: 'List a merchant’s client secrets',
    returns: 'The secrets that work, never the secrets themselves.',
    access: { token: 'operator', role: 'viewer' },
    params: Type.Object({ clientId }),
    refusals: ['merchant_not_found'],
    async run({ params }, database) {
      const { merchantId, clientId: name } = await getMerchant(database, params.clientId);
      return { clientId: name, secrets: (await listSecrets(database, merchantId)).map(encodeSecret) };
    },
  });
}

function endRoute(): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/operator/merchants/{clientId}/secrets/{secretId}/end',
    operationId: 'endMerchantSecret',
    asksPassword: true,
    summary: 'End a merchant’s client secret',
    description:
      'For a secret that has leaked: it and all tokens of the merchant end, on every node within 5 seconds. Never waits for a second operator. The merchant is told (`merchant.secret_ended`). Without a secret it can do nothing until it gets a new one.',
    returns: 'The secrets that are left.',
    access: { token: 'operator', role: 'admin' },
    subject: (call, database) => merchantIdOf(database, call.params.clientId),
    params: Type.Object({ clientId, secretId }),
    refusals: ['merchant_not_found', 'merchant_secret_not_found'],
    async run({ by, params }, tx) {
      const secrets = await endSecret(tx, by, params.clientId, params.secretId);
      return { clientId: params.clientId, secrets: secrets.map(encodeSecret) };
    },
  });
}
