/** Leaves out the unix socket of the test server. */
export function overTcp(connectionString: string): string {
  const url = new URL(connectionString);
  url.searchParams.delete('host');
  return url.href;
}

export function withDatabaseName(connectionString: string, name: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}
