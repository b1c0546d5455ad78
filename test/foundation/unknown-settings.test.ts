/**
 * Misspelt settings are refused and the nearest name is suggested. Ordinary environment variables are never refused.
 */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { faultsOf } from './refusal.js';

describe('a name in the environment that is nearly a setting', () => {
  it.each([
    ['REQUEST_PER_MINUTE', 'REQUESTS_PER_MINUTE'],
    ['MASTER_KEYFILE', 'MASTER_KEY_FILE'],
    ['MASTERKEY', 'MASTER_KEY'],
    ['MASTER_KYE', 'MASTER_KEY'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['REMESA_DATA_DIR', 'DATA_DIR'],
    ['data_dir', 'DATA_DIR'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['RETENTION_YEAR', 'RETENTION_YEARS'],
    ['METRIC_TOKEN', 'METRICS_TOKEN'],
    ['WEBHOOK_ALLOW_NETWORKS', 'WEBHOOK_ALLOWED_NETWORKS'],
    ['RATE_SOURCES_FILE', 'RATE_SOURCES'],
  ])('is refused and the right name is suggested: %s', (name, meant) => {
    expect(faultsOf({ [name]: 'x' })).toEqual([`${name} is not a setting; did you mean ${meant}?`]);
  });

  it('is reported together with the other faults', () => {
    expect(faultsOf({ PORT: 'x', LOG_LEVELS: 'info' })).toEqual([
      'PORT must be a whole number from 0 to 65535, not "x"',
      'LOG_LEVELS is not a setting; did you mean LOG_LEVEL?',
    ]);
  });

  it('is ignored when it is empty', () => {
    expect(faultsOf({ REQUEST_PER_MINUTE: '' })).toEqual([]);
  });
});

describe('ordinary environment variables', () => {
  const ordinary = `
    HOME HOSTNAME HOSTS HOSTTYPE PORTS MODEL MODES ROLES PATH PWD OLDPWD SHELL SHLVL TERM USER LOGNAME LANG LC_ALL TZ
    TMPDIR EDITOR PAGER DISPLAY MAIL BASH_ENV BASE BASEDIR DATA DATABASE DATABASES DATE DOCUMENT_ROOT LOG_DIR LOG_FILE
    XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR XDG_CONFIG_DIRS DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK
    http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY FTP_PROXY
    PGHOST PGPORT PGDATA PGDATABASE PGUSER PGPASSWORD PGSSLMODE PGSSLROOTCERT POSTGRES_PASSWORD
    NODE_ENV NODE_OPTIONS NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS YARN_VERSION NVM_DIR COREPACK_HOME
    npm_config_loglevel npm_config_user_agent npm_lifecycle_event npm_package_name npm_config_cache npm_node_execpath
    KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT_443_TCP_ADDR
    REMESA_PORT REMESA_HOST REMESA_SERVICE_HOST REMESA_SERVICE_PORT REMESA_PORT_3000_TCP REMESA_PORT_3000_TCP_ADDR
    REMESA_NAME REMESA_ENV_NODE_VERSION REMESA_DB_PORT REMESA_WEB_PORT_3000_TCP_PROTO
    INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID MAINPID CREDENTIALS_DIRECTORY STATE_DIRECTORY
    RUNTIME_DIRECTORY LOGS_DIRECTORY CACHE_DIRECTORY CONFIGURATION_DIRECTORY SYSTEMD_EXEC_PID
    CI GITHUB_TOKEN GITHUB_ACTIONS GITHUB_REF GITHUB_API_URL GITHUB_BASE_REF RUNNER_OS RUNNER_TEMP ACTIONS_CACHE_URL
    DYNO STACK WEB_CONCURRENCY MEMORY_AVAILABLE REDIS_URL DATABASE_HOST DATABASE_PORT DATABASE_USER DATABASE_NAME
    DATABASE_PASSWORD DB_POOL_SIZE POOL_SIZE SENTRY_DSN OTEL_EXPORTER_OTLP_ENDPOINT AWS_REGION AWS_SECRET_ACCESS_KEY
    TOKEN MASTER MASTER_HOST KEY KEYS VAULT_TOKEN CONSUL_HTTP_TOKEN VITEST VITEST_MODE TEST DEBUG FORCE_COLOR _
  `.split(/\s+/);

  it('are not refused when they are of the shell, npm, PostgreSQL, Kubernetes, Docker, systemd or a build service', () => {
    const names = ordinary.filter((name) => name !== '');
    expect(names.filter((name) => faultsOf({ [name]: 'x' }).length > 0)).toEqual([]);
  });
});

describe('the file .env', () => {
  const faultsOfFile = (file: Record<string, string>) => {
    try {
      readConfig({}, file);
      return [];
    } catch (error) {
      return (error as Error).message.split('\n  - ').slice(1);
    }
  };

  it('may contain settings only; every other name is refused with a suggestion if there is one', () => {
    expect(faultsOfFile({ HOTS: '0.0.0.0', GREETING: 'hello', PORT: '4000' })).toEqual([
      'HOTS in .env is not a setting; did you mean HOST?',
      'GREETING in .env is not a setting (.env.example lists all of them)',
    ]);
  });

  it('provides a setting unless the environment has it too', () => {
    expect(readConfig({}, { PORT: '4000', HOST: '::1' })).toMatchObject({ port: 4000, host: '::1' });
    expect(readConfig({ PORT: '5000' }, { PORT: '4000' }).port).toBe(5000);
  });
});
