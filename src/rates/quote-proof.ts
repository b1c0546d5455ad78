/** Signs quotes and receipts on request, so that a merchant can prove later what was promised and paid. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { CompactSign, calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import { type Quote, quoteProofJson } from './quote.js';

export class QuoteProver {
  readonly #publicJwk: Promise<JWK & { kid: string }>;

  constructor(readonly signingKey: KeyObject) {
    this.#publicJwk = describe(signingKey);
  }

  /** Returns a compact JWS. */
  prove(quote: Quote): Promise<string> {
    return this.sign('remesa-quote+json', quoteProofJson(quote));
  }

  /** Returns a compact JWS. `type` says what was signed, so that a quote is never taken for something else. */
  async sign(type: string, json: string): Promise<string> {
    const { kid } = await this.#publicJwk;
    return new CompactSign(Buffer.from(json))
      .setProtectedHeader({ alg: 'EdDSA', typ: type, kid })
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
