import { type Report, findField, getKeyStart, getText, type SourceRef } from '../../spec/source.ts';
import { findNearest } from '../../base/text.ts';
import { listOf, wholeNumber } from './read-values.ts';

/** A queue with its own limit. */
export interface QueueConfig {
  readonly name: string;
  /** Maximum number of active runs in the queue, at least 1. */
  readonly maxConcurrency: number;
}

const keys = ['name', 'maxConcurrency'];

/** Renamed in 1.22. */
const oldKey = 'maxActiveRuns';

const readLimit = wholeNumber(1, 1_000_000);

const readList = listOf('[{name: etl, maxConcurrency: 2}]', (source, report, folder) => {
  const queue = readQueue(source, report, folder);
  return queue && { source, queue };
});

/** Reads `queues.config`. If several items have the same queue, the last one is used. */
export function readQueues(
  source: SourceRef,
  report: Report,
  folder: string,
): readonly QueueConfig[] | undefined {
  const items = readList(source, report, folder);
  const seen = new Set<string>();
  for (const { source: item, queue } of items ?? []) {
    if (seen.has(queue.name)) {
      const problem = `Duplicate queue "${queue.name}". The last one is used.`;
      report.warning(item, `${problem} Remove the others.`);
    }
    seen.add(queue.name);
  }
  return items?.map(({ queue }) => queue);
}

/** Reads one item of `queues.config`; returns undefined after an error. */
function readQueue(source: SourceRef, report: Report, folder: string): QueueConfig | undefined {
  if (source.node.kind !== 'map') {
    report.error(source, 'A queue must be a map, such as "{name: etl, maxConcurrency: 2}".');
    return undefined;
  }
  for (const [written, { keyStart }] of source.node.entries) {
    if (keys.includes(written) || written === oldKey) continue;
    const near = findNearest(written, keys);
    const hint = near === undefined ? `Known fields: ${keys.join(', ')}.` : `Did you mean "${near}"?`;
    report.errorAt(keyStart, source.path, `Unknown field "${written.slice(0, 60)}". ${hint}`);
  }
  const name = readName(source, report);
  const limit = findLimit(source, report);
  const maxConcurrency = limit && readLimit(limit, report, folder);
  return name === undefined || maxConcurrency === undefined ? undefined : { name, maxConcurrency };
}

function readName(source: SourceRef, report: Report): string | undefined {
  const found = findField(source, 'name');
  const name = found?.node.kind === 'scalar' ? getText(found.node).trim() : '';
  if (name !== '') return name;
  report.error(found ?? source, 'A queue requires a "name". Use the name from "queue" in the workflows.');
  return undefined;
}

function findLimit(source: SourceRef, report: Report): SourceRef | undefined {
  const limit = findField(source, 'maxConcurrency');
  const old = findField(source, oldKey);
  if (old !== undefined) {
    const remedy = limit === undefined ? 'Rename it' : 'Remove it; "maxConcurrency" is used';
    report.warningAt(
      getKeyStart(source.node, oldKey),
      old.path,
      `"maxActiveRuns" of a queue was renamed to "maxConcurrency". ${remedy}.`,
    );
  }
  const found = limit ?? old;
  if (found === undefined)
    report.error(source, 'A queue requires "maxConcurrency", the maximum number of active runs.');
  return found;
}
