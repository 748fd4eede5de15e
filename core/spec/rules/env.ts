import type { EnvEntry, TextMap } from '../../model/step.ts';
import { findNearest } from '../../base/text.ts';
import type { Secret } from '../../model/settings.ts';
import {
  type Report,
  findField,
  joinPath,
  getKeyStart,
  getText,
  type SourceRef,
  getField,
} from '../source.ts';
import type { AuthoredSecrets } from '../authored.ts';
import { warnAboutShellSyntax } from './literals.ts';

/** Names that a shell accepts. */
const shellName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Reads `env`: a map, or a list of maps and `KEY=value` strings. The order is preserved, because later values may
 * refer to earlier ones. Values are not expanded.
 */
export function readEnv(source: SourceRef | undefined, report: Report): EnvEntry[] {
  if (source === undefined) return [];
  if (source.node.kind === 'map') return readMap(source, report);
  if (source.node.kind === 'scalar') return [];
  return source.node.items.flatMap((_, index) => {
    const item = findField(source, index)!;
    return item.node.kind === 'map' ? readMap(item, report) : readAssignment(item, report);
  });
}

/**
 * Validates the name of a variable at an offset. Reports an error if no process can have it or it would be a
 * positional parameter, and a warning if only programs but no shell can read it.
 */
export function checkVariableName(name: string, offset: number, path: string, report: Report): void {
  if (shellName.test(name)) return;
  const shown = `"${name.slice(0, 60)}"`;
  const remedy = 'Use letters, digits and "_", and start with a letter or "_".';
  if (name.trim() === '' || /^[0-9]+$|[=\p{Cc}]/u.test(name)) {
    report.errorAt(offset, path, `Invalid variable name ${shown}. ${remedy}`);
  } else {
    report.warningAt(offset, path, `Variable name ${shown} cannot be used in shells. ${remedy}`);
  }
}

function readMap(source: SourceRef, report: Report): EnvEntry[] {
  if (source.node.kind !== 'map') return [];
  return [...source.node.entries].map(([name, { node }]) => {
    const value = getText(node);
    checkVariableName(name, getKeyStart(source.node, name), joinPath(source.path, name), report);
    warnAboutShellSyntax(value, node.start, joinPath(source.path, name), report);
    return { name, value };
  });
}

function readAssignment(item: SourceRef, report: Report): EnvEntry[] {
  const text = getText(item.node);
  const end = text.indexOf('=');
  if (end < 0) {
    report.error(
      item,
      `"${text.slice(0, 60)}" is not in the form KEY=value. Use this form, or a map "KEY: value".`,
    );
    return [];
  }
  const name = text.slice(0, end).trim();
  const value = text.slice(end + 1);
  checkVariableName(name, item.node.start, item.path, report);
  warnAboutShellSyntax(value, item.node.start, item.path, report);
  return [{ name, value }];
}

/** Providers of secrets. */
export const secretProviders: readonly string[] = ['store', 'env', 'file', 'keychain', 'command', 'vault'];

/** Reads `secrets`: references to secrets, not their values. */
export function readSecrets(
  value: AuthoredSecrets | undefined,
  source: SourceRef,
  report: Report,
): Secret[] | undefined {
  if (value === undefined) return undefined;
  const lines = new Map<string, number>();
  return value.map(({ name, provider, key }, index) => {
    const item = getField(source, index);
    checkName(name, getField(item, 'name'), lines, report);
    checkProvider(provider, getField(item, 'provider'), report);
    if (key.trim() === '') {
      report.error(getField(item, 'key'), '"key" is empty. Set the key to look up at the provider.');
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
  const hint =
    near === undefined
      ? `Use ${secretProviders.slice(0, -1).join(', ')} or ${secretProviders.at(-1)}.`
      : `Did you mean "${near}"?`;
  report.error(source, `Unknown secret provider "${provider.slice(0, 40)}". ${hint}`);
}

/** Reads a map of strings, numbers as written; undefined if it is absent. */
export function readTextMap(parent: SourceRef, key: string): TextMap | undefined {
  const node = findField(parent, key)?.node;
  if (node?.kind !== 'map') return undefined;
  return Object.fromEntries([...node.entries].map(([name, entry]) => [name, getText(entry.node)]));
}
