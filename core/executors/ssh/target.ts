import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import type { SshConfig } from '../../model/executor-config.ts';
import type { StepContext } from '../executor.ts';

/** A host and its login settings; equal targets share connections. */
export interface SshTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Absolute path. */
  readonly key: string | undefined;
  readonly passphrase: string | undefined;
  readonly password: string | undefined;
  /** Socket path of the SSH agent. */
  readonly agent: string | undefined;
  readonly strictHostKey: boolean;
  /** Absolute path. */
  readonly knownHostFile: string;
  readonly timeoutMs: number;
  /** 0 to disable keepalive. */
  readonly keepaliveMs: number;
}

const defaultTimeoutSec = 30;
const defaultKeepaliveSec = 15;

/**
 * Applies the defaults to the configuration.
 * @throws if there is no host or a number is out of range
 */
export function readTarget(
  config: Partial<SshConfig>,
  { env, workingDir }: Pick<StepContext, 'env' | 'workingDir'>,
): SshTarget {
  const { timeout = defaultTimeoutSec, keepalive = defaultKeepaliveSec } = config;
  if (timeout <= 0) throw new Error(`config.timeout must be more than 0 seconds (got ${timeout}).`);
  const home = env['HOME'] || homedir();
  const resolve = (file: string): string => resolveFile(file, home, workingDir);
  return {
    ...readAddress(config),
    ...readLogin(config, env['SSH_AUTH_SOCK'] || process.env['SSH_AUTH_SOCK'], resolve),
    strictHostKey: config.strictHostKey ?? true,
    knownHostFile: resolve(config.knownHostFile || '~/.ssh/known_hosts'),
    timeoutMs: timeout * 1000,
    keepaliveMs: Math.max(0, keepalive) * 1000,
  };
}

function readAddress({ host, ip, port = 22 }: Partial<SshConfig>): Pick<SshTarget, 'host' | 'port'> {
  const name = (host || ip || '').trim();
  if (name === '') throw new Error('config.host is empty. Set a host name or address.');
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`config.port must be a whole number from 1 to 65535 (got ${port}).`);
  // An IPv6 address may be in brackets, as in URLs.
  return { host: name.replace(/^\[(.*)\]$/, '$1'), port };
}

/** The SSH agent is used only if no other method is configured. */
function readLogin(
  { user, key, passphrase, password }: Partial<SshConfig>,
  agent: string | undefined,
  resolve: (file: string) => string,
): Pick<SshTarget, 'user' | 'key' | 'passphrase' | 'password' | 'agent'> {
  return {
    user: user?.trim() || userInfo().username,
    key: key ? resolve(key) : undefined,
    passphrase: passphrase || undefined,
    password: password || undefined,
    agent: key || password ? undefined : agent || undefined,
  };
}

function resolveFile(file: string, home: string, workingDir: string): string {
  if (file === '~' || file.startsWith('~/')) return path.join(home, file.slice(1));
  return path.resolve(workingDir, file);
}

/** Formats the target for messages. */
export const formatTarget = ({ user, host, port }: SshTarget): string =>
  `${user}@${host}${port === 22 ? '' : `, port ${port}`}`;
