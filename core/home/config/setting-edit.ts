import { existsSync, readFileSync } from 'node:fs';
import { AppError, formatFsError } from '../../base/errors.ts';
import { applyChanges, type EditResult } from '../../edit/text-change.ts';
import { readEditable, type EditableText } from '../../edit/yaml/editable-text.ts';
import { removeValues } from '../../edit/yaml/remove-value.ts';
import { setValue, insertItem } from '../../edit/yaml/set-value.ts';
import { accept } from '../../edit/yaml/text-edits.ts';
import { putFile, replaceFile } from '../write-file.ts';
import { configHistory } from './check-config.ts';
import { normalizeKey, type QueueConfig } from './read-table.ts';

/** A value that a map of a YAML file can contain. */
export type SettingValue = string | number | boolean;

/**
 * Sets a value in the text of a YAML file, or removes it. Comments and all other lines stay unchanged.
 * @param path canonical keys; they may be written in other ways, such as snake_case
 * @param value null removes it
 * @throws `conflict` if the file has to be edited by hand
 */
export function editSetting(
  text: string,
  path: readonly (string | number)[],
  value: SettingValue | null,
): string {
  const editable = readEditable(text);
  const written = findWrittenPath(editable.documents[0]?.toJS(), path);
  const address = { document: 0, path: written.path };
  const result =
    value !== null
      ? setValue(editable, address, value)
      : written.isPresent
        ? removeValues(editable, [address])
        : accept([]);
  return applyEdit(text, result, `Cannot change "${path.join('.')}".`);
}

/** @throws `conflict` with the reason why the edit is not possible, after `problem` */
function applyEdit(text: string, result: EditResult, problem: string): string {
  if (result.ok) return applyChanges(text, result.changes);
  throw new AppError('conflict', `${problem} ${result.reason}`);
}

/** Finds a path whose keys may be written in other ways. */
export function findWrittenPath(
  root: unknown,
  path: readonly (string | number)[],
): { readonly path: readonly (string | number)[]; readonly isPresent: boolean; readonly value: unknown } {
  let value = root;
  let isPresent = true;
  const written = path.map((part) => {
    const entries: readonly (readonly [string, unknown])[] = isCollection(value) ? Object.entries(value) : [];
    const found = entries.find(([key]) => isSameKey(key, String(part)));
    isPresent &&= found !== undefined;
    value = found?.[1];
    return typeof part === 'number' ? part : (found?.[0] ?? part);
  });
  return { path: written, isPresent, value };
}

function isSameKey(written: string, name: string): boolean {
  const { aliases } = configHistory;
  const folded = normalizeKey(written);
  return folded === normalizeKey(name) || (Object.hasOwn(aliases, folded) && aliases[folded] === name);
}

const isCollection = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Converts the text of a setting to its value in YAML: numbers and booleans are written without quotes. */
export function parseSetting(text: string): SettingValue {
  if (/^-?(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/**
 * Reads a file that may not exist; then its text is empty.
 * @throws `home_unusable`
 */
export function readOptionalText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new AppError('home_unusable', `Cannot read ${file}: ${formatFsError(error)}.`, { cause: error });
  }
}

/**
 * Creates a file, or replaces its text.
 * @throws `home_unusable` or `storage_full`
 */
export function writeText(file: string, text: string): void {
  (existsSync(file) ? replaceFile : putFile)(file, text);
}

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
