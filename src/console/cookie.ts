/** The cookie of the console. It contains 256 random bits, of which the database has a hash. Pure. */

/**
 * Browsers accept `__Host-` over https only, so that no other host can set or read it. In a sandbox that is served over
 * http the cookie has a plain name.
 */
export class SessionCookie {
  readonly name: string;
  readonly #attributes: string;

  constructor(readonly isSecure: boolean) {
    this.name = isSecure ? '__Host-remesa-session' : 'remesa-session';
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }

  /** Undefined unless the request has exactly one such cookie of the right form. */
  read(header: string | undefined): string | undefined {
    const values = (header ?? '')
      .split(';')
      .map((pair) => pair.trim().split('=', 2))
      .flatMap(([name, value]) => (name === this.name && value !== undefined ? [value] : []));
    const [secret] = values;
    return values.length === 1 && secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined;
  }

  /** It lives as long as the browser; the session ends earlier on our side. */
  set(secret: string): string {
    return `${this.name}=${secret}; ${this.#attributes}`;
  }

  clear(): string {
    return `${this.name}=; Max-Age=0; ${this.#attributes}`;
  }
}
