import { key, optionalKey, secretKey, type ConfigTable, type ReadValue } from '../config-key.ts';
import { postgresUrl } from '../values/read-postgres-url.ts';
import { jwtKey } from '../values/read-jwt-key.ts';
import { text, wordList } from '../values/read-texts.ts';
import { duration, flag, scalar, wholeNumber } from '../values/read-values.ts';

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
export const gatewaySection = {
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
