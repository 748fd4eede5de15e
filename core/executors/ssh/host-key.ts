import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { explainFsError } from '../../base/text/format-fs-error.ts';
import {
  knownHostName,
  knownKeyTypes,
  lookUpHostKey,
  parseKnownHosts,
  readKeyType,
  type KnownHostLine,
} from './known-hosts.ts';
import type { SshTarget } from './target.ts';

/** Verifies the host key. */
export interface HostKeyCheck {
  /** Algorithms in order of preference, those of the known keys first. */
  readonly algorithms: readonly HostKeyAlgorithm[];
  /** Returns why a key is rejected and what to do, or undefined if it is valid. */
  refuse(key: Buffer): string | undefined;
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
export async function openHostKeyCheck(target: SshTarget): Promise<HostKeyCheck> {
  if (!target.strictHostKey) return { algorithms: supported, refuse: () => undefined };
  const lines = await readKnownHosts(target.knownHostFile);
  const name = knownHostName(target.host, target.port);
  const known = knownKeyTypes(lines ?? [], name);
  return {
    algorithms: supported.toSorted((a, b) => Number(usesKeyType(known, b)) - Number(usesKeyType(known, a))),
    refuse: (key) => explainHostKeyError(target, lines, name, key),
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
  const verdict = lookUpHostKey(lines ?? [], name, key);
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
