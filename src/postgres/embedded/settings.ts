/** The arguments of PostgreSQL's programs, by major version. */

interface NewClusterOptions {
  readonly directory: string;
  readonly passwordFile: string;
  readonly durable: boolean;
}

export function initdbArguments(
  major: number,
  { directory, passwordFile, durable }: NewClusterOptions,
): string[] {
  return [
    `--pgdata=${directory}`,
    '--username=remesa',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--data-checksums',
    ...localeArguments(major),
    ...(durable ? [] : ['--no-sync']),
  ];
}

/** PostgreSQL's own C.UTF-8 sorts the same on every machine and after every upgrade of the system's libraries. */
function localeArguments(major: number): string[] {
  return major >= 17
    ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    : ['--locale=C'];
}

export function serverArguments(
  major: number,
  clusterDirectory: string,
  port: number,
  overrides: Readonly<Record<string, string>>,
): string[] {
  const settings = { ...serverSettings(major), ...overrides, port: String(port) };
  return [
    '-D',
    clusterDirectory,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

function serverSettings(major: number): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    logging_collector: 'off',
    log_destination: 'stderr',
    // Details, statements and parameters carry personal data; the log must not.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_parameter_max_length_on_error: '0',
    ...(major >= 14 ? { client_connection_check_interval: '1s' } : {}),
  };
}
