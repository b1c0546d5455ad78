/** Where the form may lead back to: only to addresses that were registered, or it would carry people anywhere. */

/** In the sandbox also to the developer's own machine. */
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
