/** Chooses the compression of an answer: what the caller weights highest, and of equal weights the first offered. */
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** The published types lack the second parameter. */
interface EncodingNegotiator {
  encoding(available: string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

export function acceptedEncoding<Encoding extends string>(
  { headers }: FastifyRequest,
  offered: readonly Encoding[],
): Encoding | 'identity' {
  const available = [...offered, 'identity'] as const;
  const negotiator: EncodingNegotiator = new Negotiator({ headers });
  const accepted = negotiator.encoding([...available], { preferred: available });
  return available.find((encoding) => encoding === accepted) ?? 'identity';
}
