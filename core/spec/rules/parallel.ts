import type { Parallel, ParallelItem } from '../../model/workflow/step.ts';
import type { AuthoredParallel } from '../authored.ts';
import type { Report } from '../source/report.ts';
import { fieldOf, textOf, type SourceRef, type SourceNode } from '../source/source-node.ts';

const DEFAULT_CONCURRENT = 10;

/** Reads `parallel`: an expression, a list of items, or a map with `items`. */
export function readParallel(
  value: AuthoredParallel | undefined,
  source: SourceRef,
  report: Report,
): Parallel | undefined {
  if (value === undefined) return undefined;
  const isMap = typeof value === 'object' && !Array.isArray(value);
  const items = isMap ? fieldOf(source, 'items') : source;
  return {
    items: items.node.kind === 'list' ? items.node.items.map(readItem) : readExpression(items, report),
    maxConcurrent: Number((isMap ? value.maxConcurrent : undefined) ?? DEFAULT_CONCURRENT),
  };
}

function readItem(node: SourceNode): ParallelItem {
  if (node.kind !== 'map') return textOf(node);
  const entries = [...node.entries].map(([key, entry]) => [key, textOf(entry.node)] as const);
  // Creates own properties for all keys; an assignment would not for `__proto__`.
  return Object.fromEntries(entries);
}

function readExpression(source: SourceRef, report: Report): string {
  const expression = textOf(source.node);
  if (expression.trim() === '') {
    report.error(
      source,
      '"parallel" has no items. Add a list of items, or an expression such as "${ITEMS}".',
    );
  }
  return expression;
}
