/** Signs the terms of a quote on request, so that a merchant can prove later what was quoted. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { CompactSign, calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import { type Quote, quoteProofJson } from './quote.js';

export class QuoteProver {
  readonly #publicJwk: Promise<JWK & { kid: string }>;

  constructor(readonly signingKey: KeyObject) {
    this.#publicJwk = describe(signingKey);
  }

  /** Returns a compact JWS. */
  async prove(quote: Quote): Promise<string> {
    const { kid } = await this.#publicJwk;
    return new CompactSign(Buffer.from(quoteProofJson(quote)))
      .setProtectedHeader({ alg: 'EdDSA', typ: 'remesa-quote+json', kid })
      .sign(this.signingKey);
  }

  publicKey(): Promise<JWK> {
    return this.#publicJwk;
  }
}

async function describe(signingKey: KeyObject): Promise<JWK & { kid: string }> {
  const jwk = await exportJWK(createPublicKey(signingKey));
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' };
}
