import type { EnvEntry } from '../../model/values.ts';
import type { Report } from '../source/report.ts';
import { findPlace, joinPath, keyStartOf, textOf, type Place } from '../source/source-node.ts';

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Reads `env`: a map, or a list of maps and of `KEY=value` (seed 1, DAG spec). Order is kept, because
 * later values may refer to earlier ones; values are unexpanded.
 */
export function readEnv(place: Place | undefined, report: Report): EnvEntry[] {
  if (place === undefined) return [];
  if (place.node.kind === 'map') return readMap(place, report);
  if (place.node.kind === 'scalar') return [];
  return place.node.items.flatMap((_, index) => {
    const item = findPlace(place, index)!;
    return item.node.kind === 'map' ? readMap(item, report) : readAssignment(item, report);
  });
}

/** Whether `name` can be the name of an environment variable that a shell can read. */
export function isVariableName(name: string): boolean {
  return variableName.test(name);
}

/** What to say about a name that is none. */
export function describeVariableName(name: string): string {
  return `"${name.slice(0, 60)}" cannot be the name of a variable. Use letters, digits and "_", and begin with a letter or "_".`;
}

function readMap(place: Place, report: Report): EnvEntry[] {
  if (place.node.kind !== 'map') return [];
  return [...place.node.entries].map(([name, { node }]) => {
    if (!isVariableName(name)) {
      report.errorAt(keyStartOf(place.node, name), joinPath(place.path, name), describeVariableName(name));
    }
    return { name, value: textOf(node) };
  });
}

function readAssignment(item: Place, report: Report): EnvEntry[] {
  const text = textOf(item.node);
  const end = text.indexOf('=');
  if (end < 0) {
    report.error(item, `"${text.slice(0, 60)}" is no KEY=value. Write it so, or as a map "KEY: value".`);
    return [];
  }
  const name = text.slice(0, end).trim();
  if (!isVariableName(name)) report.error(item, describeVariableName(name));
  return [{ name, value: text.slice(end + 1) }];
}
