import { homedir } from 'node:os';

/** Variables that reach step processes and sub-DAGs from the engine's own environment. */
const passedNames: ReadonlySet<string> = new Set(['PATH', 'HOME', 'LANG', 'TZ', 'SHELL']);
const passedPrefixes = ['ENGINE_', 'LC_', 'DAG_'] as const;

/**
 * Secrets of the server that the engine is configured with. They are of no use to a step, and a step that prints its
 * environment would write them into its log.
 */
const withheldNames: ReadonlySet<string> = new Set([
  'ENGINE_AUTH_BASIC_PASSWORD',
  'ENGINE_AUTH_TOKEN',
  'ENGINE_AUTH_OIDC_CLIENT_SECRET',
  'ENGINE_DATABASE_URL',
  'ENGINE_GATEWAY_DATABASE_URL',
  'ENGINE_GATEWAY_JWT_KEY',
  'ENGINE_WORKER_TOKEN',
]);

/**
 * What Windows programs cannot start or find their files without; passed there in addition. Names are
 * compared without case on Windows.
 */
const passedOnWindows: ReadonlySet<string> = new Set([
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
]);

/**
 * The part of an environment that a step may see without declaring it.
 * @param more names that a person has chosen for all runs of this host
 */
export function filterEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  more: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (more.has(name) || isPassed(name, platform))) passed[name] = value;
  }
  return passed;
}

function isPassed(name: string, platform: NodeJS.Platform): boolean {
  const known = platform === 'win32' ? name.toUpperCase() : name;
  if (withheldNames.has(known)) return false;
  if (passedNames.has(known) || passedPrefixes.some((prefix) => known.startsWith(prefix))) return true;
  return platform === 'win32' && passedOnWindows.has(known);
}

/**
 * Expands a value of a variable or parameter. `~` alone, or before a `/`, at its beginning is the home directory, as in
 * an assignment of a shell.
 */
export async function expandWithHome(
  value: string,
  expand: (text: string) => Promise<string> | string,
): Promise<string> {
  if (value !== '~' && !value.startsWith('~/')) return expand(value);
  return homedir() + (await expand(value.slice(1)));
}
