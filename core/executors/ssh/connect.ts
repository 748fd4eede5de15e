import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import ssh2, { type AuthenticationType, type ClientErrorExtensions } from 'ssh2';
import { explainFsError } from '../../base/errors.ts';
import { openLogin } from './login.ts';
import { formatTarget, type SshTarget } from './target.ts';

/** Number of unanswered keepalive messages after which a connection counts as broken. */
const unansweredQuestions = 3;

/**
 * Connects and logs in. Rejects with what went wrong and what to do.
 * @param signal aborts the connection attempt
 */
export async function connect(target: SshTarget, signal: AbortSignal): Promise<ssh2.Client> {
  const check = await openHostKeyCheck(target);
  const login = await openLogin(target);
  const client = new ssh2.Client();
  let failure: string | undefined;
  let stop = (): void => {};
  const ready = new Promise<void>((resolve, reject) => {
    client.once('ready', resolve);
    client.once('close', () => reject(new Error(formatClosed(target))));
    stop = () => reject(new Error('stopped while connecting'));
    // The listener is never removed: an unhandled error of an abandoned connection would end the engine.
    client.on('error', (error) => {
      if (error.level === 'agent') login.note(`SSH agent: ${error.message}`);
      else if (error.level === 'client-authentication') reject(new Error(login.explain(), { cause: error }));
      else reject(new Error(failure ?? explainConnectError(target, error), { cause: error }));
    });
  });
  client.connect({
    host: target.host,
    port: target.port,
    username: target.user,
    readyTimeout: target.timeoutMs,
    keepaliveInterval: target.keepaliveMs,
    keepaliveCountMax: unansweredQuestions,
    algorithms: { serverHostKey: [...check.algorithms] },
    hostVerifier: (key: Buffer) => {
      failure = check.explainRejection(key);
      return failure === undefined;
    },
    // The types omit that the first call has no list, and that `false` ends the attempts.
    authHandler: (accepted: AuthenticationType[] | null, _partial, next: (method: never) => void) =>
      next(login.next(accepted ?? undefined) as never),
  });
  try {
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    await ready;
    return client;
  } catch (error) {
    client.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const formatClosed = (target: SshTarget): string =>
  `${formatTarget(target)}: the server closed the connection before login. It may have too many connections (MaxStartups), or reject this user or address.`;

/** Explains a failed connection by the error of the system or the library. */
function explainConnectError(target: SshTarget, error: Error & ClientErrorExtensions): string {
  const { host, port } = target;
  const where = `${host}, port ${port}`;
  const seconds = target.timeoutMs / 1000;
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOTFOUND':
      return `Host ${host} not found in DNS. Check "host".`;
    case 'EAI_AGAIN':
      return `DNS lookup of ${host} failed: the DNS server did not respond. Check the network.`;
    case 'ECONNREFUSED':
      return `${where}: connection refused. Check "host" and "port".`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `Cannot reach ${where}: ${error.message}. Check the network and "host".`;
    case 'ETIMEDOUT':
      return `${where} did not respond. Check "host", "port" and firewalls.`;
    case 'ECONNRESET':
      return formatClosed(target);
    case undefined:
      break;
  }
  if (error.level === 'client-timeout')
    return `${where}: login timed out after ${seconds} s. Check "host" and "port", or raise "timeout".`;
  if (error.message.startsWith('Connection lost before handshake')) return formatClosed(target);
  return `Cannot connect to ${where}: ${error.message}`;
}

/** Verifies the host key. */
export interface HostKeyCheck {
  /** Algorithms in order of preference, those of the known keys first. */
  readonly algorithms: readonly HostKeyAlgorithm[];
  /** Returns why a key is rejected and what to do, or undefined if it is valid. */
  explainRejection(key: Buffer): string | undefined;
}

/** Algorithms that the library supports, in its own order. */
const supported = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
] as const;
type HostKeyAlgorithm = (typeof supported)[number];

/** Reads the known_hosts file. Rejects if it exists and cannot be read. */
async function openHostKeyCheck(target: SshTarget): Promise<HostKeyCheck> {
  if (!target.strictHostKey) return { algorithms: supported, explainRejection: () => undefined };
  const lines = await readKnownHosts(target.knownHostFile);
  const name = knownHostName(target.host, target.port);
  const known = knownKeyTypes(lines ?? [], name);
  return {
    algorithms: supported.toSorted((a, b) => Number(usesKeyType(known, b)) - Number(usesKeyType(known, a))),
    explainRejection: (key) => explainHostKeyError(target, lines, name, key),
  };
}

/** RSA keys are used with several algorithms. */
const usesKeyType = (types: readonly string[], algorithm: HostKeyAlgorithm): boolean =>
  types.includes(algorithm.startsWith('rsa-') ? 'ssh-rsa' : algorithm);

/** Returns undefined if the file does not exist. */
async function readKnownHosts(file: string): Promise<KnownHostLine[] | undefined> {
  try {
    return parseKnownHosts(await readFile(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(
      `Cannot read the known hosts file ${file}: ${explainFsError(error).problem}. Fix it, or set another file in "knownHostFile".`,
      { cause: error },
    );
  }
}

function explainHostKeyError(
  target: SshTarget,
  lines: readonly KnownHostLine[] | undefined,
  name: string,
  key: Buffer,
): string | undefined {
  const verdict = findHostKey(lines ?? [], name, key);
  const shown = `${readKeyType(key)} ${fingerprint(key)}`;
  const file = target.knownHostFile;
  switch (verdict.kind) {
    case 'known':
      return undefined;
    case 'revoked':
      return `The host key of ${name}, ${shown}, is marked as revoked in ${file}, line ${verdict.line}. The connection may be intercepted: contact the administrator of the host before you continue.`;
    case 'other': {
      const known = verdict.lines
        .map(({ keyType, key: knownKey, line }) => `${keyType} ${fingerprint(knownKey)} (line ${line})`)
        .join(', ');
      return `The host key of ${name} has changed: the host has ${shown}, but ${file} has ${known}. Either the host has a new key, or the connection is intercepted. Ask the administrator of the host. If the new key is correct, remove the old key with: ssh-keygen -f ${file} -R '${name}' and add the new key with: ${scanLine(target)}`;
    }
    case 'unknown': {
      const where = lines === undefined ? `file ${file} not found` : `${file} has no key for this host`;
      return `Unknown host ${name}: ${where}. The host key is ${shown}. Compare it with "ssh-keygen -lf" of /etc/ssh/ssh_host_*_key.pub on the host, then add it with: ${scanLine(target)}`;
    }
  }
}

const scanLine = ({ host, port, knownHostFile }: SshTarget): string =>
  `ssh-keyscan ${port === 22 ? '' : `-p ${port} `}${host} >> ${knownHostFile}`;

/** Formats a fingerprint like `ssh-keygen -l`. */
export const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** A line of a known_hosts file with a key. */
interface KnownHostLine {
  /** 1-based line number. */
  readonly line: number;
  readonly marker?: 'revoked' | 'cert-authority';
  /** Patterns of host names, or one hashed name. */
  readonly hosts: string;
  /** For example `ssh-ed25519`. */
  readonly keyType: string;
  readonly key: Buffer;
}

/** Result of looking up a host key in a known_hosts file. */
export type HostKeyVerdict =
  | { readonly kind: 'known' }
  | { readonly kind: 'revoked'; readonly line: number }
  /** The host has other keys. */
  | { readonly kind: 'other'; readonly lines: readonly KnownHostLine[] }
  | { readonly kind: 'unknown' };

/**
 * Parses the format of sshd(8), SSH_KNOWN_HOSTS FILE FORMAT. Skips comments, empty lines and invalid lines, as OpenSSH
 * does.
 */
export function parseKnownHosts(text: string): KnownHostLine[] {
  return text.split(/\r?\n/).flatMap((written, index) => {
    const words = written.trim().split(/[ \t]+/);
    const marker = words[0]?.startsWith('@') ? words.shift()!.slice(1) : undefined;
    const [hosts = '', keyType = '', encoded = ''] = words;
    if (hosts === '' || hosts.startsWith('#') || (marker !== undefined && !isMarker(marker))) return [];
    const key = Buffer.from(encoded, 'base64');
    if (keyType === '' || readKeyType(key) !== keyType) return [];
    return [{ line: index + 1, ...(marker === undefined ? {} : { marker }), hosts, keyType, key }];
  });
}

const isMarker = (word: string): word is NonNullable<KnownHostLine['marker']> =>
  word === 'revoked' || word === 'cert-authority';

/** Returns the type of a public key in wire format, or an empty string if it is invalid. */
function readKeyType(key: Buffer): string {
  if (key.length < 4) return '';
  const length = key.readUInt32BE(0);
  return length > 0 && length <= key.length - 4 ? key.toString('latin1', 4, 4 + length) : '';
}

/** Returns the name of a host in known_hosts files: with its port unless that is 22. */
export const knownHostName = (host: string, port: number): string =>
  port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;

/** Looks up a key. If a host has several lines, any of them may match. A revoked key is always rejected. */
export function findHostKey(lines: readonly KnownHostLine[], name: string, key: Buffer): HostKeyVerdict {
  const matching = lines.filter(({ hosts, marker }) => marker !== 'cert-authority' && matches(hosts, name));
  const revoked = matching.find((line) => line.marker === 'revoked' && line.key.equals(key));
  if (revoked !== undefined) return { kind: 'revoked', line: revoked.line };
  const valid = matching.filter(({ marker }) => marker === undefined);
  if (valid.length === 0) return { kind: 'unknown' };
  return valid.some((line) => line.key.equals(key)) ? { kind: 'known' } : { kind: 'other', lines: valid };
}

/** Returns the types of the known keys of a host, so that it is asked for one of them. */
function knownKeyTypes(lines: readonly KnownHostLine[], name: string): string[] {
  const valid = lines.filter(({ hosts, marker }) => marker === undefined && matches(hosts, name));
  return [...new Set(valid.map(({ keyType }) => keyType))];
}

function matches(hosts: string, name: string): boolean {
  if (hosts.startsWith('|')) return matchesHash(hosts, name);
  const patterns = hosts.split(',').filter((pattern) => pattern !== '');
  const isNegated = patterns.some((pattern) => pattern[0] === '!' && matchesPattern(pattern.slice(1), name));
  return !isNegated && patterns.some((pattern) => pattern[0] !== '!' && matchesPattern(pattern, name));
}

/** Matches `|1|SALT|HASH`: the name hashed with HMAC-SHA1. */
function matchesHash(hosts: string, name: string): boolean {
  const [, version, salt = '', hash = ''] = hosts.split('|');
  if (version !== '1' || hash === '') return false;
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
}

/**
 * Matches a pattern with `*` and `?`. Backtracks only to the last `*`, so that the time is bounded for any pattern.
 */
function matchesPattern(pattern: string, name: string): boolean {
  const lowerPattern = pattern.toLowerCase();
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let index = 0; index < name.length;) {
    if (lowerPattern[at] === '*') {
      star = at;
      at += 1;
      resumeAt = index;
    } else if (lowerPattern[at] === '?' || lowerPattern[at] === name[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      resumeAt += 1;
      index = resumeAt;
    } else {
      return false;
    }
  }
  return lowerPattern.slice(at).replaceAll('*', '') === '';
}
