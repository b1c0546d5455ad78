/** The headers that every answer has, unless its route sets them itself. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const transportSecurity = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const;

export function constantHeaders(live: boolean): Readonly<Record<string, string>> {
  return { ...securityHeaders, ...(live ? transportSecurity : {}) };
}
