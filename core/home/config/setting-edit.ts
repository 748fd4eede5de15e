import { existsSync, readFileSync } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import { formatFsError } from '../../base/format-fs-error.ts';
import { applyChanges, type EditResult } from '../../edit/text-change.ts';
import { readEditable } from '../../edit/yaml/editable-text.ts';
import { removeValues } from '../../edit/yaml/remove-value.ts';
import { setValue } from '../../edit/yaml/set-value.ts';
import { accept } from '../../edit/yaml/text-edits.ts';
import { putFile, replaceFile } from '../library/write-file.ts';
import { configHistory } from './check-config.ts';
import { normalizeKey } from './read-table.ts';

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
export function applyEdit(text: string, result: EditResult, problem: string): string {
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
