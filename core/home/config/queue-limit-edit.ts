import { insertItem, setValue } from '../../edit/yaml/set-value.ts';
import { removeValues } from '../../edit/yaml/remove-value.ts';
import { readEditable, type EditableText } from '../../edit/yaml/editable-text.ts';
import { accept } from '../../edit/yaml/text-edits.ts';
import type { EditResult } from '../../edit/text-change.ts';
import type { QueueConfig } from './read-queue.ts';
import { applyEdit, findWrittenPath, readOptionalText, writeText } from './setting-edit.ts';

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
  const text = readOptionalText(file);
  const edited = editQueueLimit(text, change);
  if (edited !== text) writeText(file, edited);
}

/**
 * Changes the limit of a queue (`queues.config`) in the text of a configuration file. Comments and all other lines stay
 * unchanged.
 * @throws `conflict` if the file has to be edited by hand
 */
export function editQueueLimit(text: string, change: QueueLimitChange): string {
  const editable = readEditable(text);
  const { path, value } = findWrittenPath(editable.documents[0]?.toJS(), ['queues', 'config']);
  const list = { path, items: Array.isArray(value) ? value : [] };
  const problem = `Cannot change the limit of queue "${change.queue}" in the configuration file.`;
  return applyEdit(text, changeList(editable, list, change), problem);
}

interface QueueList {
  /** As written in the file. */
  readonly path: readonly (string | number)[];
  readonly items: readonly unknown[];
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
