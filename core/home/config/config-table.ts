import { logCharsets } from '../../model/workflow-rules.ts';
import { key, optionalKey, secretKey, type ConfigTable, type ReadValue } from './config-key.ts';
import {
  roleMapping,
  roleName,
  literalText,
  text,
  webAddress,
  wordList,
  duration,
  flag,
  oneOf,
  filePath,
  webPrefix,
  wholeNumber,
  postgresUrl,
  scalar,
  basePath,
  labelPairs,
  trueOnly,
  timeZone,
  findCharset,
} from './read-values.ts';
import { jwtKey } from './read-jwt-key.ts';
import { folderVariables } from './home.ts';
import { readQueues } from './read-table.ts';

/** Authentication. Secrets may also be set by variables without the prefix `ENGINE_`, like the mode. */
const authSection = {
  mode: key(oneOf('none', 'builtin', 'oidc'), 'none', 'AUTH_MODE', 'ENGINE_AUTH_MODE'),
  builtin: {
    /** Lifetime of a session in seconds. */
    tokenTtl: key(duration(60), 24 * 3600, 'ENGINE_AUTH_TOKEN_TTL'),
  },
  /** User name and password for basic authentication. */
  basic: {
    username: optionalKey(text, 'AUTH_BASIC_USERNAME', 'ENGINE_AUTH_BASIC_USERNAME'),
    password: secretKey(literalText, 'AUTH_BASIC_PASSWORD', 'ENGINE_AUTH_BASIC_PASSWORD'),
  },
  /** A single admin token. */
  token: {
    value: secretKey(text, 'AUTH_TOKEN', 'ENGINE_AUTH_TOKEN'),
  },
  oidc: {
    /** URL of the provider, below which its discovery document is. */
    issuer: optionalKey(webAddress, 'ENGINE_AUTH_OIDC_ISSUER'),
    clientId: optionalKey(text, 'ENGINE_AUTH_OIDC_CLIENT_ID'),
    /** Absent for a public client. */
    clientSecret: secretKey(literalText, 'AUTH_OIDC_CLIENT_SECRET', 'ENGINE_AUTH_OIDC_CLIENT_SECRET'),
    scopes: key(wordList, ['openid', 'profile', 'email'], 'ENGINE_AUTH_OIDC_SCOPES'),
    /** Path of the claim with the role, such as `groups` or `realm_access.roles`. */
    roleClaim: optionalKey(text, 'ENGINE_AUTH_OIDC_ROLE_CLAIM'),
    /** Role by value of that claim. Without a mapping, a value that is the name of a role is used directly. */
    roleMapping: key(roleMapping, new Map(), 'ENGINE_AUTH_OIDC_ROLE_MAPPING'),
    /** Role of users whose claim gives none. */
    defaultRole: optionalKey(roleName, 'ENGINE_AUTH_OIDC_DEFAULT_ROLE'),
    /** Users to admit. If both are empty, every user that the provider signs in is admitted. */
    allowedEmails: key(wordList, [], 'ENGINE_AUTH_OIDC_ALLOWED_EMAILS', 'ENGINE_AUTH_OIDC_WHITELIST'),
    allowedDomains: key(wordList, [], 'ENGINE_AUTH_OIDC_ALLOWED_DOMAINS'),
    /**
     * Accept access tokens that can only be verified at the userinfo endpoint, whichever application they were issued
     * to.
     */
    userinfoTokens: key(flag, false, 'ENGINE_AUTH_OIDC_USERINFO_TOKENS'),
  },
} as const satisfies ConfigTable;

/** Settings of `engine coordinator`, which serves workers (docs/distributed.md). */
const coordinatorSection = {
  /** Host name or address to listen on. */
  host: key(text, '127.0.0.1', 'ENGINE_COORDINATOR_HOST'),
  /** 0 for any free port. */
  port: key(wholeNumber(0, 65_535), 8190, 'ENGINE_COORDINATOR_PORT'),
  /** Address for workers if it differs from the listen address; only displayed. */
  publicUrl: optionalKey(webPrefix, 'ENGINE_COORDINATOR_URL'),
  /** Maximum number of concurrent connections; each waiting worker has one. */
  maxConnections: key(wholeNumber(1, 1_000_000), 20_000, 'ENGINE_COORDINATOR_MAX_CONNECTIONS'),
  /** Whether log chunks are flushed to disk before a worker may delete its own. */
  syncLogs: key(flag, true, 'ENGINE_COORDINATOR_SYNC_LOGS'),
  tls: {
    /** If disabled, only workers on this machine are served. */
    enabled: key(flag, true, 'ENGINE_COORDINATOR_TLS'),
    /** Certificate chain in PEM. */
    certFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_CERT'),
    /** Private key in PEM. */
    keyFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_KEY'),
    /** CA certificates for workers' certificates, in PEM; without them, workers join with tokens. */
    clientCaFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_CLIENT_CA'),
    /** Certificate revocation list of these CAs, in PEM. */
    crlFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_CRL'),
  },
} as const satisfies ConfigTable;

/** Database for runs, queues, schedules and workers (docs/distributed.md). */
const databaseSection = {
  /**
   * Usually contains a password, so it is never shown or passed to steps. Absent for the database file in the home.
   */
  url: secretKey(postgresUrl('empty for the file in the home'), 'ENGINE_DATABASE_URL'),
} as const satisfies ConfigTable;

/** Schemas to expose: at least one, and none of PostgreSQL's system schemas. */
const schemas: ReadValue<readonly string[]> = (source, report, folder) => {
  const named = wordList(source, report, folder);
  if (named === undefined) return undefined;
  const reserved = named.find((name) => /^(pg_.*|information_schema)$/.test(name));
  if (named.length > 0 && reserved === undefined) return named;
  const reason =
    reserved === undefined
      ? 'has no schemas'
      : `contains "${reserved}", a PostgreSQL system schema that cannot be exposed`;
  report.error(source, `"${source.path}" ${reason}. Use schemas such as [public, api].`);
  return undefined;
};

/** PostgreSQL interprets `SET ROLE none` as the role of the connection. */
const anonymousRole: ReadValue<string> = (source, report, folder) => {
  const role = text(source, report, folder);
  if (role !== 'none') return role;
  report.error(source, `"${source.path}" cannot be "none". Remove it to reject requests without a token.`);
  return undefined;
};

const functionName: ReadValue<string> = scalar('a function with its schema, such as auth.check', (written) =>
  /^[^\s.]+\.[^\s.]+$/.test(written) ? written : undefined,
);

/** `.role`, `.realm_access.roles[0]`, `."https://example.com/role"`. */
const claimPath: ReadValue<string> = scalar('the path of a claim, such as .role or .roles[0]', (written) =>
  /^(\.([\w$@-]+|"[^"]+")|\[\d+\])+$/.test(written) ? written : undefined,
);

/** The database gateway of a server (docs/gateway.md). */
const gatewaySection = {
  enabled: key(flag, true, 'ENGINE_GATEWAY_ENABLED'),
  /** Usually contains a password, so it is never shown or passed to steps. Absent for the embedded database. */
  databaseUrl: secretKey(postgresUrl('empty for the embedded database'), 'ENGINE_GATEWAY_DATABASE_URL'),
  /** Exposed schemas; the first one is the default of a request. */
  schemas: key(schemas, ['public'], 'ENGINE_GATEWAY_SCHEMAS'),
  /** Further schemas whose functions and types can be used without a schema name. */
  extraSearchPath: key(wordList, ['public'], 'ENGINE_GATEWAY_EXTRA_SEARCH_PATH'),
  /** Maximum number of connections to the database server. */
  poolSize: key(wholeNumber(1, 1000), 10, 'ENGINE_GATEWAY_POOL_SIZE'),
  /** Seconds that a request waits for a connection. */
  poolTimeout: key(duration(1), 10, 'ENGINE_GATEWAY_POOL_TIMEOUT'),
  statementTimeout: key(duration(0.01, 'no limit'), 30, 'ENGINE_GATEWAY_STATEMENT_TIMEOUT'),
  /** Whether connections use prepared statements; disable behind a pooler that shares connections. */
  prepareStatements: key(flag, true, 'ENGINE_GATEWAY_PREPARE_STATEMENTS'),
  /** Maximum number of rows of a response; 0 for no limit. */
  maxRows: key(wholeNumber(0, 1_000_000_000), 0, 'ENGINE_GATEWAY_MAX_ROWS'),
  maxBodyBytes: key(wholeNumber(1024, 1024 ** 3), 16 * 1024 * 1024, 'ENGINE_GATEWAY_MAX_BODY_BYTES'),
  /** Whether PATCH and DELETE without filters affect all rows. */
  allowUnfiltered: key(flag, false, 'ENGINE_GATEWAY_ALLOW_UNFILTERED'),
  allowAggregates: key(flag, false, 'ENGINE_GATEWAY_ALLOW_AGGREGATES'),
  /** Whether a caller may request that a write is rolled back, to try it. */
  allowTxOverride: key(flag, false, 'ENGINE_GATEWAY_ALLOW_TX_OVERRIDE'),
  /** Database role for requests without a token. */
  anonymousRole: optionalKey(anonymousRole, 'ENGINE_GATEWAY_ANONYMOUS_ROLE'),
  /** Superusers, roles with REPLICATION and pg_* roles that tokens may select. */
  privilegedRoles: key(wordList, [], 'ENGINE_GATEWAY_PRIVILEGED_ROLES'),
  /** Key that verifies tokens. */
  jwtKey: secretKey(jwtKey, 'ENGINE_GATEWAY_JWT_KEY'),
  jwtAudience: optionalKey(text, 'ENGINE_GATEWAY_JWT_AUDIENCE'),
  /** Path of the claim with the role. */
  jwtRoleClaim: key(claimPath, '.role', 'ENGINE_GATEWAY_JWT_ROLE_CLAIM'),
  /** Function that is called before each request and may reject it. */
  preRequest: optionalKey(functionName, 'ENGINE_GATEWAY_PRE_REQUEST'),
  /** Origins of web pages that may call the gateway. */
  corsOrigins: key(wordList, [], 'ENGINE_GATEWAY_CORS_ORIGINS'),
} as const satisfies ConfigTable;

const objectStoreUrl: ReadValue<string> = scalar(
  'a bucket such as s3://bucket/prefix?region=eu-central-1 (add endpoint=https://host for servers other than AWS; set credentials with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)',
  (written) => {
    const url = URL.canParse(written) ? new URL(written) : undefined;
    const endpoint = url?.searchParams.get('endpoint');
    const isGood =
      url?.protocol === 's3:' &&
      url.hostname !== '' &&
      url.username === '' &&
      url.password === '' &&
      (endpoint === null || endpoint === undefined || /^https?:\/\/[^/]/.test(endpoint));
    return isGood ? written : undefined;
  },
);

/** Storage for logs and artifacts of remote work (docs/distributed.md). */
const objectStoreSection = {
  /** Absent for the run directories, which hosts and coordinators must then share. */
  url: optionalKey(objectStoreUrl, 'ENGINE_OBJECT_STORE_URL'),
} as const satisfies ConfigTable;

/** Parts of an installation outside its home. Default: in the home. */
const pathsSection = {
  /** Workflow files. */
  dagsDir: optionalKey(filePath, ...folderVariables.dagsDir),
  /** Logs of new runs; logs of earlier runs stay where they are. */
  logDir: optionalKey(filePath, ...folderVariables.logDir),
  /** Database, users, tokens and keys. */
  dataDir: optionalKey(filePath, ...folderVariables.dataDir),
  /** The base configuration, which must exist if it is set. */
  baseConfig: optionalKey(filePath, 'ENGINE_BASE_CONFIG'),
} as const satisfies ConfigTable;

/** Stored secrets, and HashiCorp Vault (docs/secrets.md). */
const secretsSection = {
  /** Key file of the secret store, instead of the system's keychain. Created with the first secret. */
  keyFile: optionalKey(filePath, 'ENGINE_SECRETS_KEY_FILE'),
  vault: {
    address: optionalKey(webPrefix, 'ENGINE_SECRETS_VAULT_ADDRESS', 'VAULT_ADDR'),
    /** Mount of the KV version 2 engine for keys without one. */
    mount: key(text, 'secret', 'ENGINE_SECRETS_VAULT_MOUNT'),
    namespace: optionalKey(text, 'ENGINE_SECRETS_VAULT_NAMESPACE', 'VAULT_NAMESPACE'),
    token: secretKey(text, 'ENGINE_SECRETS_VAULT_TOKEN', 'VAULT_TOKEN'),
    /** A file that contains the token; read for each request. */
    tokenFile: optionalKey(filePath, 'ENGINE_SECRETS_VAULT_TOKEN_FILE'),
    /** Role of AppRole, instead of a token. */
    roleId: optionalKey(text, 'ENGINE_SECRETS_VAULT_ROLE_ID'),
    secretId: secretKey(text, 'ENGINE_SECRETS_VAULT_SECRET_ID'),
    /** CA certificates in PEM, instead of those of the system. */
    caFile: optionalKey(filePath, 'ENGINE_SECRETS_VAULT_CA', 'VAULT_CACERT'),
  },
} as const satisfies ConfigTable;

/** The quotes service of a server (docs/quotes.md). */
const quotesSection = {
  /** Maximum requests per client and minute; 0 for no limit. */
  requestsPerMinute: key(wholeNumber(0, 1_000_000), 600, 'ENGINE_QUOTES_REQUESTS_PER_MINUTE'),
  /** Whether the service is in maintenance mode: the response to every request is to retry later. */
  maintenance: key(flag, false, 'ENGINE_QUOTES_MAINTENANCE'),
} as const satisfies ConfigTable;

/** Listen settings of `engine server` and `engine start-all`. */
const serverSection = {
  /** Host name or address to listen on; addresses other than loopback require a password or `allowRemote`. */
  host: key(text, '127.0.0.1', 'ENGINE_HOST'),
  /** 0 for any free port. */
  port: key(wholeNumber(0, 65_535), 8080, 'ENGINE_PORT'),
  /** Allows access from other machines to a server without authentication. */
  allowRemote: key(flag, false, 'ENGINE_ALLOW_REMOTE'),
  /** Prefix of every path, for a reverse proxy that does not remove it: empty, or `/flows`. */
  basePath: key(basePath, '', 'ENGINE_BASE_PATH'),
  /** Public URL of the server behind a proxy. */
  publicUrl: optionalKey(webPrefix, 'ENGINE_PUBLIC_URL', 'ENGINE_AUTH_OIDC_CLIENT_URL'),
  /** API paths without authentication; `*` matches one path segment. */
  servicePaths: key(wordList, ['/api/v2/metrics', '/api/v*/health'], 'ENGINE_SERVICE_PATHS'),
  /**
   * Handling of active runs when the server stops: they are stopped gracefully, or continue under the next host.
   */
  onStop: key(oneOf('stop', 'leave'), 'stop', 'ENGINE_ON_STOP'),
  /** Maximum number of concurrent connections, including streams; further ones are rejected with a retry time. */
  maxConnections: key(wholeNumber(1, 1_000_000), 2000, 'ENGINE_SERVER_MAX_CONNECTIONS'),
  tls: {
    /** Certificate chain in PEM. */
    certFile: optionalKey(filePath, 'ENGINE_CERT_FILE'),
    /** Private key in PEM. */
    keyFile: optionalKey(filePath, 'ENGINE_KEY_FILE'),
  },
} as const satisfies ConfigTable;

/** Nothing but a color may be inserted into a style of the page. */
const colour = scalar('a color such as #0b7285 or teal', (written) =>
  /^(#([0-9a-f]{3}|[0-9a-f]{6})|[a-z]{3,30})$/i.test(written) ? written : undefined,
);

/** Appearance of the user interface of this installation. */
const uiSection = {
  /** Name of the installation, shown instead of the product name. */
  navbarTitle: optionalKey(text, 'ENGINE_UI_NAVBAR_TITLE'),
  /** Color next to the name, to distinguish installations. */
  navbarColor: optionalKey(colour, 'ENGINE_UI_NAVBAR_COLOR'),
  /** Page size of the list of runs. */
  maxDashboardPageLimit: key(wholeNumber(1, 1000), 100, 'ENGINE_UI_MAX_DASHBOARD_PAGE_LIMIT'),
  /** Encoding of log content that is not UTF-8. Default: that of the system's locale. */
  logEncodingCharset: optionalKey(
    scalar(`one of ${logCharsets.join(', ')}`, findCharset),
    'ENGINE_UI_LOG_ENCODING_CHARSET',
  ),
  dags: {
    /** Default sort column of the list of workflows. */
    sortField: key(oneOf('name', 'nextRun', 'latestRun'), 'name', 'ENGINE_UI_DAGS_SORT_FIELD'),
    sortOrder: key(oneOf('asc', 'desc'), 'asc', 'ENGINE_UI_DAGS_SORT_ORDER'),
  },
} as const satisfies ConfigTable;

/** Settings of `engine worker` (docs/distributed.md). */
const workerSection = {
  /** Addresses of coordinators; the worker stays with the first one that responds. */
  coordinators: key(wordList, [], 'ENGINE_WORKER_COORDINATORS'),
  /** Labels that `workerSelector` of workflows and steps matches. */
  labels: key(labelPairs, {}, 'ENGINE_WORKER_LABELS'),
  /** Maximum number of concurrent steps. Default: the number of processors. */
  slots: optionalKey(wholeNumber(1, 10_000), 'ENGINE_WORKER_SLOTS'),
  /** Name of the worker. Default: a generated name that stays the same. */
  id: optionalKey(text, 'ENGINE_WORKER_ID'),
  /** Token for joining, if coordinators require no certificate. */
  token: secretKey(text, 'ENGINE_WORKER_TOKEN'),
  /** A file that contains the token. */
  tokenFile: optionalKey(filePath, 'ENGINE_WORKER_TOKEN_FILE'),
  tls: {
    /** CA certificates of the coordinators in PEM, instead of those of the system. */
    caFile: optionalKey(filePath, 'ENGINE_WORKER_TLS_CA'),
    /** Certificate of the worker in PEM; the common name is its id. */
    certFile: optionalKey(filePath, 'ENGINE_WORKER_TLS_CERT'),
    keyFile: optionalKey(filePath, 'ENGINE_WORKER_TLS_KEY'),
  },
  /** Data folder. Default: `worker` in the home. */
  dir: optionalKey(filePath, 'ENGINE_WORKER_DIR'),
  /** Seconds that running steps may take when the worker stops. */
  drainTimeout: key(duration(0), 600, 'ENGINE_WORKER_DRAIN_TIMEOUT'),
  /** Retention of files of reassigned tasks in days. */
  keepLostDays: key(wholeNumber(0, 3650), 7, 'ENGINE_WORKER_KEEP_LOST_DAYS'),
} as const satisfies ConfigTable;

const roleAdvice = 'Use roles instead: set AUTH_MODE, and give callers the role operator or viewer';

/**
 * Every key of the configuration file and its environment variables. Durations are in seconds and may be written as
 * `90`, `90s`, `1h30m` or `7d`.
 */
export const configTable = {
  /** Time zone of schedules without one. Default: that of the machine. */
  tz: key(timeZone, undefined, 'ENGINE_TZ'),
  /** Whether a new home is created without sample workflows. */
  skipExamples: key(flag, false, 'ENGINE_SKIP_EXAMPLES'),
  /** Log format of long-running processes on stderr. */
  logFormat: key(oneOf('text', 'json'), 'text', 'ENGINE_LOG_FORMAT'),
  /** Shell of steps whose workflow specifies none: a program with its flags. */
  defaultShell: optionalKey(text, 'ENGINE_DEFAULT_SHELL'),
  /** Working directory of workflows that specify none. */
  workDir: optionalKey(filePath, 'ENGINE_WORK_DIR'),
  paths: pathsSection,
  database: databaseSection,
  ui: uiSection,
  server: serverSection,
  auth: authSection,
  /** In Dagu, restrictions for all callers. In Stepwright, roles define permissions. */
  permissions: {
    writeDAGs: key(trueOnly(roleAdvice), true),
    runDAGs: key(trueOnly(roleAdvice), true),
  },
  scheduler: {
    /** Port of the health check of `engine scheduler`; 0 disables it. */
    port: key(wholeNumber(0, 65_535), 8090, 'ENGINE_SCHEDULER_PORT'),
    /** Seconds between two searches for runs of hosts that have ended; 0 disables them. */
    zombieDetectionInterval: key(
      duration(1, 'no detection'),
      45,
      'ENGINE_SCHEDULER_ZOMBIE_DETECTION_INTERVAL',
    ),
    /** Handling of active runs when `engine scheduler` stops, as for the server. */
    onStop: key(oneOf('stop', 'leave'), 'stop', 'ENGINE_SCHEDULER_ON_STOP'),
    /** Default for missed scheduled runs: none, the last one, or all are run. */
    catchup: key(oneOf('skip', 'last', 'all'), 'skip'),
    /** Default for how far back missed scheduled runs are searched. */
    catchupWindow: key(duration(60), 24 * 3600),
  },
  queues: {
    /** Whether runs can be queued. */
    enabled: key(flag, true, 'ENGINE_QUEUE_ENABLED'),
    /** Queues with their own limit; other queues use the limit of their workflow. */
    config: key(readQueues, []),
  },
  history: {
    /** Retention of finished runs of workflows without `histRetentionDays`, in days; negative to keep them forever. */
    retentionDays: key(wholeNumber(-1, 36_500), 30, 'ENGINE_HISTORY_RETENTION_DAYS'),
    /** Number of retained runs of workflows without `histRetentionRuns`; 0 for no limit. */
    retentionRuns: key(wholeNumber(0, 1_000_000), 0, 'ENGINE_HISTORY_RETENTION_RUNS'),
  },
  quotes: quotesSection,
  gateway: gatewaySection,
  coordinator: coordinatorSection,
  worker: workerSection,
  objectStore: objectStoreSection,
  secrets: secretsSection,
  monitor: {
    /** Seconds between two readings of resource usage; 0 disables monitoring. */
    intervalSec: key(duration(1, 'no monitoring'), 5, 'ENGINE_MONITORING_INTERVAL'),
    /** Retention of readings in seconds. */
    retention: key(duration(60), 24 * 3600, 'ENGINE_MONITORING_RETENTION'),
  },
  webhooks: {
    /** Retention of webhook events and their deliveries in days; longer than the usual retries take. */
    retentionDays: key(wholeNumber(2, 3650), 7, 'ENGINE_WEBHOOKS_RETENTION_DAYS'),
  },
} as const satisfies ConfigTable;
