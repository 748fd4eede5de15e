import { homedir } from 'node:os';

/** Variables of the engine's own environment that step processes and sub-DAGs receive. */
const passedNames: ReadonlySet<string> = new Set(['PATH', 'HOME', 'LANG', 'TZ', 'SHELL']);
const passedPrefixes = ['ENGINE_', 'LC_', 'DAG_'] as const;

/**
 * Secrets of the server's configuration. Steps do not need them, and a step that prints its environment would write
 * them to its log.
 */
const withheldNames: ReadonlySet<string> = new Set([
  'ENGINE_AUTH_BASIC_PASSWORD',
  'ENGINE_AUTH_TOKEN',
  'ENGINE_AUTH_OIDC_CLIENT_SECRET',
  'ENGINE_DATABASE_URL',
  'ENGINE_GATEWAY_DATABASE_URL',
  'ENGINE_GATEWAY_JWT_KEY',
  'ENGINE_SECRETS_KEY',
  'ENGINE_SECRETS_VAULT_TOKEN',
  'ENGINE_SECRETS_VAULT_SECRET_ID',
  'ENGINE_WORKER_TOKEN',
]);

/**
 * Additional variables for Windows, which programs need to start or to find their files. Names are case-insensitive on
 * Windows.
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
 * Returns the part of an environment that a step can see without declaring it.
 * @param more additional names, configured for all runs of this host
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

/** Whether a variable is a secret of the server's configuration. */
export const isWithheld = (name: string, platform: NodeJS.Platform = process.platform): boolean =>
  withheldNames.has(platform === 'win32' ? name.toUpperCase() : name);

function isPassed(name: string, platform: NodeJS.Platform): boolean {
  if (isWithheld(name, platform)) return false;
  const known = platform === 'win32' ? name.toUpperCase() : name;
  if (passedNames.has(known) || passedPrefixes.some((prefix) => known.startsWith(prefix))) return true;
  return platform === 'win32' && passedOnWindows.has(known);
}

/**
 * Expands a value of a variable or parameter. A leading `~`, alone or before a `/`, is the home directory, as in a
 * shell assignment.
 */
export async function expandWithHome(
  value: string,
  expand: (text: string) => Promise<string> | string,
): Promise<string> {
  if (value !== '~' && !value.startsWith('~/')) return expand(value);
  return homedir() + (await expand(value.slice(1)));
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of this process as runs see it, which a long-lived host may change. Runs copy it when they start, so
 * that active runs keep theirs.
 */
export class HostEnvironment {
  readonly #initial: Variables;
  readonly #variables: Record<string, string | undefined>;
  readonly #passed = new Set<string>();

  constructor(initial: Variables) {
    this.#initial = initial;
    this.#variables = { ...initial };
  }

  /**
   * The variables, and the names of those that steps see without declaring them, in addition to those of
   * `filterEnvironment`; always the same objects.
   */
  get snapshot(): { readonly environment: Variables; readonly passed: ReadonlySet<string> } {
    return { environment: this.#variables, passed: this.#passed };
  }

  /** Overrides the initial variables, replacing an earlier change; an empty string removes a variable. */
  change(variables: Readonly<Record<string, string>>, passed: readonly string[]): void {
    for (const name of Object.keys(this.#variables)) delete this.#variables[name];
    Object.assign(this.#variables, this.#initial);
    for (const [name, value] of Object.entries(variables)) {
      if (value === '') delete this.#variables[name];
      else this.#variables[name] = value;
    }
    this.#passed.clear();
    for (const name of passed) this.#passed.add(name);
  }
}
