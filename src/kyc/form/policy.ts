/** The header fields of the form's pages: nothing from elsewhere, nothing to elsewhere, framed by nobody but the merchant. */
import { cspHashOf } from '../../http/html.js';
import type { FormMerchant } from './view.js';

export interface PolicyOptions {
  readonly merchant: FormMerchant | undefined;
  /** The texts of the style elements in the page. */
  readonly styles: readonly string[];
  /** Where its forms may be posted to. */
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

/** Only what is an origin and nothing else: a semicolon, which a host name may have, would add words to the policy. */
function frameAncestors(origins: readonly string[]): string[] {
  const allowed = origins.filter((origin) => /^https?:\/\/[\w.-]+(:\d{1,5})?$/.test(origin));
  return allowed.length > 0 ? allowed : ["'none'"];
}
