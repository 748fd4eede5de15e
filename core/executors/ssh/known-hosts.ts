import { createHmac } from 'node:crypto';

/** A line of a known_hosts file with a key. */
export interface KnownHostLine {
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
export function readKeyType(key: Buffer): string {
  if (key.length < 4) return '';
  const length = key.readUInt32BE(0);
  return length > 0 && length <= key.length - 4 ? key.toString('latin1', 4, 4 + length) : '';
}

/** Returns the name of a host in known_hosts files: with its port unless that is 22. */
export const knownHostName = (host: string, port: number): string =>
  port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;

/** Looks up a key. If a host has several lines, any of them may match. A revoked key is always rejected. */
export function lookUpHostKey(lines: readonly KnownHostLine[], name: string, key: Buffer): HostKeyVerdict {
  const matching = lines.filter(({ hosts, marker }) => marker !== 'cert-authority' && matches(hosts, name));
  const revoked = matching.find((line) => line.marker === 'revoked' && line.key.equals(key));
  if (revoked !== undefined) return { kind: 'revoked', line: revoked.line };
  const valid = matching.filter(({ marker }) => marker === undefined);
  if (valid.length === 0) return { kind: 'unknown' };
  return valid.some((line) => line.key.equals(key)) ? { kind: 'known' } : { kind: 'other', lines: valid };
}

/** Returns the types of the known keys of a host, so that it is asked for one of them. */
export function knownKeyTypes(lines: readonly KnownHostLine[], name: string): string[] {
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
  const wanted = pattern.toLowerCase();
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let index = 0; index < name.length;) {
    if (wanted[at] === '*') {
      star = at;
      at += 1;
      resumeAt = index;
    } else if (wanted[at] === '?' || wanted[at] === name[index]) {
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
  return wanted.slice(at).replaceAll('*', '') === '';
}
