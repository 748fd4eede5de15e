import type { EnvEntry } from '../../model/workflow/values.ts';
import { warnOfShellSyntax } from './literals/shell-syntax.ts';
import type { Report } from '../source/report.ts';
import { findField, joinPath, keyStartOf, textOf, type SourceRef } from '../source/source-node.ts';

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
    const value = textOf(node);
    checkVariableName(name, keyStartOf(source.node, name), joinPath(source.path, name), report);
    warnOfShellSyntax(value, node.start, joinPath(source.path, name), report);
    return { name, value };
  });
}

function readAssignment(item: SourceRef, report: Report): EnvEntry[] {
  const text = textOf(item.node);
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
  warnOfShellSyntax(value, item.node.start, item.path, report);
  return [{ name, value }];
}
