import type { Preferences } from '../../query/query.ts';

export type Preference = keyof Preferences;

export type RequestKind = 'read' | 'insert' | 'update' | 'put' | 'delete' | 'call';

/** In the order of the header. */
const words = {
  resolution: 'resolution',
  missing: 'missing',
  return: 'return',
  count: 'count',
  tx: 'tx',
  handling: 'handling',
  timezone: 'timezone',
  maxAffected: 'max-affected',
  unfiltered: 'unfiltered',
} as const satisfies Record<Preference, string>;

const order = Object.keys(words) as Preference[];

/** Preferences that apply to every request. */
const always: readonly Preference[] = ['tx', 'handling', 'timezone'];

const heeded: Readonly<Record<RequestKind, readonly Preference[]>> = {
  read: ['count'],
  insert: ['resolution', 'missing', 'return', 'count'],
  update: ['missing', 'return', 'count', 'maxAffected', 'unfiltered'],
  put: ['missing', 'return'],
  delete: ['return', 'count', 'maxAffected', 'unfiltered'],
  call: ['count', 'maxAffected'],
};

/**
 * Returns the `Preference-Applied` header; none without preferences.
 * @param ignored preferences that do not apply to this request
 */
export function appliedPreferencesHeader(
  kind: RequestKind,
  preferences: Preferences,
  ignored: readonly Preference[],
): Record<string, string> {
  const applied = order
    .filter(
      (name) =>
        preferences[name] !== undefined &&
        (heeded[kind].includes(name) || always.includes(name)) &&
        !ignored.includes(name),
    )
    .map((name) => `${words[name]}=${preferences[name]}`);
  return applied.length > 0 ? { 'preference-applied': applied.join(', ') } : {};
}
