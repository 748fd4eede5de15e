import { createHmac } from 'node:crypto';

/** A line of a file of known hosts that names a key. */
export interface KnownHostLine {
  /** From 1. */
  readonly line: number;
  readonly marker?: 'revoked' | 'cert-authority';
  /** Patterns of host names, or one hashed name. */
  readonly hosts: string;
  /** `ssh-ed25519` and the like. */
  readonly keyType: string;
  readonly key: Buffer;
}

/** What a file of known hosts says of a key that a host has shown. */
export type KnownHostAnswer =
  | { readonly kind: 'known' }
  | { readonly kind: 'revoked'; readonly line: number }
  /** The host is there with other keys. */
  | { readonly kind: 'other'; readonly lines: readonly KnownHostLine[] }
  | { readonly kind: 'unknown' };

/**
 * Reads the format of sshd(8), SSH_KNOWN_HOSTS FILE FORMAT. Comments, empty lines and what is no line of a key are left
 * out, as OpenSSH does.
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

/** The type that a public key in wire format names first; empty when it is none. */
export function readKeyType(key: Buffer): string {
  if (key.length < 4) return '';
  const length = key.readUInt32BE(0);
  return length > 0 && length <= key.length - 4 ? key.toString('latin1', 4, 4 + length) : '';
}

/** The name by which a file of known hosts knows a host: with its port unless that is 22. */
export const knownHostName = (host: string, port: number): string =>
  port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;

/** Looks a key up. A host with several lines is known by any of them; a revoked key is refused whatever the others say. */
export function lookUpHostKey(lines: readonly KnownHostLine[], name: string, key: Buffer): KnownHostAnswer {
  const matching = lines.filter(({ hosts, marker }) => marker !== 'cert-authority' && matches(hosts, name));
  const revoked = matching.find((line) => line.marker === 'revoked' && line.key.equals(key));
  if (revoked !== undefined) return { kind: 'revoked', line: revoked.line };
  const valid = matching.filter(({ marker }) => marker === undefined);
  if (valid.length === 0) return { kind: 'unknown' };
  return valid.some((line) => line.key.equals(key)) ? { kind: 'known' } : { kind: 'other', lines: valid };
}

/** Types of the keys by which a host is known, so that it is asked for one of these. */
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

/** `|1|SALT|HASH`: the name hashed with HMAC-SHA1. */
function matchesHash(hosts: string, name: string): boolean {
  const [, version, salt = '', hash = ''] = hosts.split('|');
  if (version !== '1' || hash === '') return false;
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
}

/** `*` stands for any characters and `?` for one. Walks both once and back to the last `*`, whatever the pattern. */
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
