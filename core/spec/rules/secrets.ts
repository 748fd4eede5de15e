import { findNearest } from '../../base/text/nearest.ts';
import type { Secret } from '../../model/settings.ts';
import type { AuthoredSecrets } from '../authored.ts';
import type { Report } from '../source/report.ts';
import { fieldOf, type SourceRef } from '../source/source-node.ts';
import { checkVariableName } from './env.ts';
import { readTextMap } from './text-map.ts';

/** Providers of secrets. */
export const secretProviders: readonly string[] = ['env', 'file', 'keychain'];

/** Reads `secrets`: references to secrets, not their values. */
export function readSecrets(
  value: AuthoredSecrets | undefined,
  source: SourceRef,
  report: Report,
): Secret[] | undefined {
  if (value === undefined) return undefined;
  const lines = new Map<string, number>();
  return value.map(({ name, provider, key }, index) => {
    const item = fieldOf(source, index);
    checkName(name, fieldOf(item, 'name'), lines, report);
    checkProvider(provider, fieldOf(item, 'provider'), report);
    if (key.trim() === '') {
      report.error(fieldOf(item, 'key'), '"key" is empty. Set the key to look up at the provider.');
    }
    return { name, provider, key, options: readTextMap(item, 'options') ?? {} };
  });
}

function checkName(name: string, source: SourceRef, lines: Map<string, number>, report: Report): void {
  checkVariableName(name, source.node.start, source.path, report);
  const first = lines.get(name);
  const { line } = report.lines.locate(source.node.start);
  if (first === undefined) lines.set(name, line);
  else {
    report.error(
      source,
      `Duplicate secret name "${name.slice(0, 60)}" (first used in line ${first}). Rename one.`,
    );
  }
}

function checkProvider(provider: string, source: SourceRef, report: Report): void {
  if (secretProviders.includes(provider)) return;
  const near = findNearest(provider, secretProviders);
  const hint = near === undefined ? 'Use "env", "file" or "keychain".' : `Did you mean "${near}"?`;
  report.error(source, `Unknown secret provider "${provider.slice(0, 40)}". ${hint}`);
}
