import type { RegistryAuths } from '../../model/settings.ts';
import type { Report } from '../source/report.ts';
import { placeOf, textOf, type Place } from '../source/source-node.ts';

/**
 * Reads `registryAuths` that matches the authored schema: one JSON string, or a map from hosts to maps or JSON
 * strings.
 */
export function readRegistryAuths(place: Place, report: Report): RegistryAuths | undefined {
  if (place.node.kind === 'scalar') return textOf(place.node).trim() === '' ? undefined : textOf(place.node);
  if (place.node.kind === 'list') return undefined;
  const logins: Exclude<RegistryAuths, string> = {};
  for (const host of place.node.entries.keys()) {
    const at = placeOf(place, host);
    const login = readLogin(at);
    if (typeof login !== 'string' && !login.auth && !login.password && !login.token)
      report.error(
        at,
        `Missing credentials for "${host}". Add "username" and "password", "token" or "auth".`,
      );
    Object.defineProperty(logins, host, {
      value: login,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return logins;
}

function readLogin({ node }: Place): Exclude<RegistryAuths, string>[string] {
  if (node.kind !== 'map') return textOf(node);
  return Object.fromEntries([...node.entries].map(([key, entry]) => [key, textOf(entry.node)]));
}
