import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { getErrorMessage } from '../../base/errors.ts';
import { DatabaseUnavailable } from './database.ts';

/** Settings of a server connection. */
export interface ConnectionSettings {
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly options?: string;
  readonly application_name: string;
  readonly ssl: ConnectionOptions | false;
}

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type TlsMode = (typeof modes)[number];

const parameters = new Set([
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'application_name',
  'options',
  'connect_timeout',
  'target_session_attrs',
]);

/**
 * Parses a server URL like libpq: `postgres://user:password@host:port/database?sslmode=…`. `sslmode` is `disable`,
 * `require` (encrypted, no verification), `verify-ca` or `verify-full`. By default, the connection is encrypted and
 * the server's name verified, unless the server is on this machine. Missing parts come from the environment variables
 * of libpq (`PGUSER`, `PGPASSWORD`, …).
 * @throws DatabaseUnavailable with a message that does not contain the password
 */
export function readConnectionUrl(written: string): ConnectionSettings {
  if (splitHosts(written).length > 1)
    throw connectionUrlError('names several hosts, which only the database of the home may have');
  const url = parseUrl(written);
  const query = url.searchParams;
  const unknown = [...query.keys()].find((name) => !parameters.has(name));
  if (unknown !== undefined)
    throw connectionUrlError(`has an unknown parameter "${unknown}" (known: ${[...parameters].join(', ')})`);
  const host = query.get('host') ?? decode(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const session = query.get('target_session_attrs');
  if (session !== null && session !== 'read-write' && session !== 'primary')
    throw connectionUrlError(`has target_session_attrs=${session}. Use read-write`);
  const port = query.get('port') ?? url.port;
  const user = query.get('user') ?? decode(url.username);
  const password = query.get('password') ?? decode(url.password);
  const database = query.get('dbname') ?? decode(url.pathname.slice(1));
  const options = query.get('options');
  return {
    ...(host !== '' && { host }),
    ...(port !== '' && { port: Number(port) }),
    ...(user !== '' && { user }),
    ...(password !== '' && { password }),
    ...(database !== '' && { database }),
    ...(options !== null && { options }),
    application_name: query.get('application_name') ?? 'stepwright-gateway',
    ssl: readTls(query, host),
  };
}

/** Returns the URL without its password, for display. */
export function hidePassword(written: string): string {
  try {
    return editUrl(written, (url) => {
      url.password = '';
      url.searchParams.delete('password');
    });
  } catch {
    return 'an unreadable URL';
  }
}

/** The part before the hosts, the hosts, and the rest. */
function splitUrl(written: string): { before: string; hosts: readonly string[]; rest: string } {
  const start = /^postgres(?:ql)?:\/\//.exec(written)?.[0].length ?? 0;
  const length = written.slice(start).search(/[/?#]/);
  const end = length === -1 ? written.length : start + length;
  const first = Math.max(start, written.lastIndexOf('@', end - 1) + 1);
  return {
    before: written.slice(0, first),
    hosts: written.slice(first, end).split(','),
    rest: written.slice(end),
  };
}

/** Returns a URL for each host, in order: `postgres://a:5432,b:5433/name` names several, as in libpq. */
export function splitHosts(written: string): string[] {
  const { before, hosts, rest } = splitUrl(written);
  return hosts.map((host) => before + host + rest);
}

/**
 * Changes a URL that may name several hosts.
 * @throws TypeError if it is not a URL
 */
export function editUrl(written: string, edit: (url: URL) => void): string {
  const { hosts } = splitUrl(written);
  const url = new URL(splitHosts(written)[0]!);
  edit(url);
  return hosts.length === 1 ? url.href : url.href.replace(url.host, hosts.join(','));
}

function parseUrl(written: string): URL {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url !== undefined && /^postgres(ql)?:$/.test(url.protocol)) return url;
  throw connectionUrlError(
    'is invalid. Use postgres://user:password@host:5432/database?sslmode=verify-full, and encode special characters of the password (@ as %40, / as %2F)',
  );
}

function readTls(query: URLSearchParams, host: string): ConnectionOptions | false {
  const mode = query.get('sslmode') ?? (isLocal(host) ? 'disable' : 'verify-full');
  if (!(modes as readonly string[]).includes(mode))
    throw connectionUrlError(`has an unknown sslmode "${mode}". Use one of ${modes.join(', ')}`);
  return getTlsOptions(mode as TlsMode, query);
}

function getTlsOptions(mode: TlsMode, query: URLSearchParams): ConnectionOptions | false {
  if (mode === 'disable') return false;
  const root = query.get('sslrootcert');
  const files = {
    ...(root !== null && root !== 'system' && { ca: readFile('sslrootcert', root) }),
    ...(query.has('sslcert') && { cert: readFile('sslcert', query.get('sslcert')!) }),
    ...(query.has('sslkey') && { key: readFile('sslkey', query.get('sslkey')!) }),
  };
  if (mode === 'verify-full') return files;
  // Like libpq: with a root certificate, `require` means `verify-ca`.
  if (mode === 'verify-ca' || (mode === 'require' && root !== null))
    return { ...files, checkServerIdentity: () => undefined };
  return { ...files, rejectUnauthorized: false };
}

const isLocal = (host: string): boolean =>
  host === '' || host.startsWith('/') || /^(localhost|127(\.\d+){3}|::1)$/.test(host);

function readFile(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw connectionUrlError(`sets ${parameter} to a file that cannot be read: ${getErrorMessage(error)}`);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw connectionUrlError('contains a % without a valid code. Write a literal % as %25');
  }
}

const connectionUrlError = (what: string): DatabaseUnavailable =>
  new DatabaseUnavailable(`The database URL ${what}.`, 'unreachable');
