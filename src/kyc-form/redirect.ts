/** The form leads back to registered addresses only; otherwise it would be an open redirect. */

/** In the sandbox, addresses on the developer's own machine are allowed too. */
export function isRegistered(
  url: string,
  registered: readonly string[],
  { isSandbox }: { readonly isSandbox: boolean },
): boolean {
  return registered.includes(url) || (isSandbox && isOnThisMachine(url));
}

function isOnThisMachine(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isWeb && url.username === '' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}
