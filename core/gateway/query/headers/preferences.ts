import { GatewayError } from '../../gateway-error.ts';
import type { Preferences } from '../query.ts';

export interface PreferenceOptions {
  /** Whether `tx=` is honoured. */
  readonly allowsTxOverride: boolean;
  /** Whether the database knows the time zone. */
  readonly isTimezone: (name: string) => boolean;
}

type MutablePreferences = { -readonly [Name in keyof Preferences]: Preferences[Name] };

/** Preferences with a fixed set of values. */
const choices = {
  return: ['minimal', 'headers-only', 'representation'],
  count: ['exact', 'planned', 'estimated'],
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
  tx: ['commit', 'rollback'],
  unfiltered: ['allow'],
} as const satisfies { [Name in keyof Preferences]?: readonly NonNullable<Preferences[Name]>[] };

/** Maximum number of preferences per request. */
const MAX_PREFERENCES = 100;

/**
 * Parses `Prefer`. The first of duplicate preferences wins.
 * @param header all header values, joined by commas
 * @throws GatewayError PGRST122 for unknown preferences with `handling=strict`
 */
export function parsePreferences(header: string | undefined, options: PreferenceOptions): Preferences {
  const drafted: MutablePreferences = {};
  const unknown: string[] = [];
  for (const preference of splitPreferences(header ?? ''))
    if (!readPreference(preference, drafted, options)) unknown.push(preference);
  if (!options.allowsTxOverride) delete drafted.tx;
  if (drafted.handling === 'strict' && unknown.length > 0)
    throw new GatewayError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${unknown.join(', ')}`,
    });
  return drafted;
}

const splitPreferences = (header: string): readonly string[] =>
  header
    .split(',', MAX_PREFERENCES)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Applies a preference; false if unknown. */
function readPreference(
  preference: string,
  drafted: MutablePreferences,
  options: PreferenceOptions,
): boolean {
  const middle = preference.indexOf('=');
  const name = preference.slice(0, Math.max(middle, 0)).trim().toLowerCase();
  const value = preference.slice(middle + 1).trim();
  if (name === 'timezone') {
    if (!options.isTimezone(value)) return false;
    drafted.timezone ??= value;
    return true;
  }
  if (name === 'max-affected') {
    if (!/^\d{1,15}$/.test(value)) return false;
    drafted.maxAffected ??= Number(value);
    return true;
  }
  if (!Object.hasOwn(choices, name)) return false;
  const known: readonly string[] = choices[name as keyof typeof choices];
  if (!known.includes(value)) return false;
  Object.assign(drafted, { [name]: value, ...drafted });
  return true;
}
