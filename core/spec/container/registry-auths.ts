import type { RegistryAuths } from '../../model/settings.ts';
import type { Report } from '../source/report.ts';
import { fieldOf, textOf, type SourceRef } from '../source/source-node.ts';

/**
 * Reads `registryAuths` that matches the authored schema: one JSON string, or a map from hosts to maps or JSON
 * strings.
 */
export function readRegistryAuths(source: SourceRef, report: Report): RegistryAuths | undefined {
  if (source.node.kind === 'scalar')
    return textOf(source.node).trim() === '' ? undefined : textOf(source.node);
  if (source.node.kind === 'list') return undefined;
  const logins: Exclude<RegistryAuths, string> = {};
  for (const host of source.node.entries.keys()) {
    const at = fieldOf(source, host);
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

function readLogin({ node }: SourceRef): Exclude<RegistryAuths, string>[string] {
  if (node.kind !== 'map') return textOf(node);
  return Object.fromEntries([...node.entries].map(([key, entry]) => [key, textOf(entry.node)]));
}
