/** The headers of hosted pages: no other origins, and only the merchant's registered origins may frame them. */
import { cspHashOf } from '../http/answers/html.js';
import type { PageMerchant } from './frame.js';

export interface PolicyOptions {
  readonly merchant: PageMerchant | undefined;
  /** The texts of the style elements in the page. */
  readonly styles: readonly string[];
  /** The addresses that its forms may post to. */
  readonly formAction: string;
  readonly hasScript: boolean;
}

export function pageHeaders(options: PolicyOptions): Record<string, string> {
  const { merchant, styles, formAction, hasScript } = options;
  const own = hasScript ? ["'self'"] : [];
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': hasScript ? own : ["'none'"],
    'connect-src': hasScript ? own : ["'none'"],
    'style-src': [...own, ...styles.map(cspHashOf)],
    'img-src': [...own, 'data:', ...(hasScript ? ['blob:'] : [])],
    'form-action': [formAction],
    'base-uri': ["'none'"],
    'frame-ancestors': frameAncestors(merchant?.allowedOrigins ?? []),
  };
  const policy = Object.entries(directives).map(([name, sources]) => `${name} ${sources.join(' ')}`);
  return {
    'content-security-policy': policy.join('; '),
    'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=()',
    'cross-origin-opener-policy': 'same-origin',
    vary: 'accept-language',
    'x-robots-tag': 'noindex, nofollow',
  };
}

/** Keeps plain origins only: a semicolon in a host name would add directives to the policy. */
function frameAncestors(origins: readonly string[]): string[] {
  const allowed = origins.filter((origin) => /^https?:\/\/[\w.-]+(:\d{1,5})?$/.test(origin));
  return allowed.length > 0 ? allowed : ["'none'"];
}
