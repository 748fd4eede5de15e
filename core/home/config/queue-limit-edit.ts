import { existsSync, readFileSync } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import { formatFsError } from '../../base/format-fs-error.ts';
import { insertItem, setValue } from '../../edit/yaml/set-value.ts';
import { removeValues } from '../../edit/yaml/remove-value.ts';
import { readEditable, type EditableText } from '../../edit/yaml/editable-text.ts';
import { accept } from '../../edit/yaml/text-edits.ts';
import { applyChanges, type EditResult } from '../../edit/text-change.ts';
import { putFile, replaceFile } from '../library/write-file.ts';
import type { QueueConfig } from './read-queue.ts';
import { normalizeKey } from './read-table.ts';

/** A queue and its new limit; undefined removes it. */
export interface QueueLimitChange {
  readonly queue: string;
  readonly limit: number | undefined;
}

/**
 * Changes the limit of a queue in a configuration file, which is created if it does not exist.
 * @param file absolute path
 * @throws as {@link editQueueLimit}; `home_unusable` or `storage_full` if the file cannot be read or written
 */
export function saveQueueLimit(file: string, change: QueueLimitChange): void {
  const exists = existsSync(file);
  const text = exists ? readText(file) : '';
  const edited = editQueueLimit(text, change);
  if (edited !== text) (exists ? replaceFile : putFile)(file, edited);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new AppError('home_unusable', `Cannot read ${file}: ${formatFsError(error)}.`, { cause: error });
  }
}

/**
 * Changes the limit of a queue (`queues.config`) in the text of a configuration file. Comments and all other lines stay
 * unchanged.
 * @throws `conflict` if the file has to be edited by hand
 */
export function editQueueLimit(text: string, change: QueueLimitChange): string {
  const editable = readEditable(text);
  const result = changeList(editable, findQueueList(editable), change);
  if (result.ok) return applyChanges(text, result.changes);
  throw new AppError(
    'conflict',
    `Cannot change the limit of queue "${change.queue}" in the configuration file. ${result.reason}`,
  );
}

interface QueueList {
  /** As written in the file. */
  readonly path: readonly string[];
  readonly items: readonly unknown[];
}

/** Finds `queues.config`, whose keys may be written in other ways. */
function findQueueList({ documents: [document] }: EditableText): QueueList {
  const queues = findMember(document?.toJS(), 'queues');
  const list = findMember(queues.value, 'config');
  return { path: [queues.key, list.key], items: Array.isArray(list.value) ? list.value : [] };
}

function findMember(map: unknown, name: string): { readonly key: string; readonly value?: unknown } {
  const found = isObject(map) ? Object.entries(map).find(([key]) => normalizeKey(key) === name) : undefined;
  return found === undefined ? { key: name } : { key: found[0], value: found[1] };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function changeList(editable: EditableText, list: QueueList, { queue, limit }: QueueLimitChange): EditResult {
  const { path, items } = list;
  const indices = items.flatMap((item, index) =>
    isObject(item) && String(item['name']).trim() === queue ? [index] : [],
  );
  const at = (...below: readonly (string | number)[]) => ({ document: 0, path: [...path, ...below] });
  if (limit === undefined)
    return indices.length === 0
      ? accept([])
      : removeValues(
          editable,
          indices.map((index) => at(index)),
        );
  // If several items have the same queue, the last one is used.
  const index = indices.at(-1);
  if (index === undefined) {
    const item = { name: queue, maxConcurrency: limit } satisfies QueueConfig;
    return insertItem(editable, at(), items.length, { ...item });
  }
  const keys = Object.keys(items[index] as object);
  const key =
    keys.includes('maxActiveRuns') && !keys.includes('maxConcurrency') ? 'maxActiveRuns' : 'maxConcurrency';
  return setValue(editable, at(index, key), limit);
}
