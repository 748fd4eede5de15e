import type { JsonValue } from '../../../core/base/json.ts';
import type { AuthoredPath } from '../../../core/edit/outline.ts';
import { splitWords } from '../../../core/spec/split-words.ts';
import { scheduleKinds } from '../../../core/model/fire-time.ts';
import { getValueText, type Form } from './form-context.ts';
import type { FieldSpec } from './field-specs.ts';

/** One row of a table of names and values. */
export interface PairRow {
  /** Path from the field to its value. */
  readonly path: AuthoredPath;
  /** `map`: a key and its value. `text`: `KEY=value` in a list. `word`: an item without a name. */
  readonly form: 'map' | 'text' | 'word';
  readonly name: string;
  readonly value: string;
  readonly plain: JsonValue;
  /** The path that is removed with the row. */
  readonly whole: AuthoredPath;
}

/** Returns the rows of a map, or of a list of maps, `KEY=value` items and, for parameters, words, in order. */
export function readPairs(value: JsonValue): readonly PairRow[] {
  if (value === null || typeof value !== 'object') return [];
  if (!Array.isArray(value))
    return Object.entries(value).map(([name, plain]) => mapRow([], name, plain, [name]));
  return value.flatMap((item, index): PairRow[] => {
    if (item !== null && typeof item === 'object' && !Array.isArray(item)) {
      const entries = Object.entries(item);
      return entries.map(([name, plain]) =>
        mapRow([index], name, plain, entries.length === 1 ? [index] : [index, name]),
      );
    }
    const text = getValueText(item);
    const at = text.indexOf('=');
    const row = { path: [index], whole: [index], plain: item };
    return at === -1
      ? [{ ...row, form: 'word', name: '', value: text }]
      : [{ ...row, form: 'text', name: text.slice(0, at), value: text.slice(at + 1) }];
  });
}

const mapRow = (above: AuthoredPath, name: string, plain: JsonValue, whole: AuthoredPath): PairRow => ({
  path: [...above, name],
  form: 'map',
  name,
  value: getValueText(plain),
  plain,
  whole,
});

/** Returns an unused name. */
export function freeName(rows: readonly PairRow[]): string {
  const taken = new Set(rows.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'NAME' : `NAME_${number}`;
    if (!taken.has(name)) return name;
  }
}

/** Converts parameters in one string to a list with one item each. */
export function listParams(text: string): JsonValue {
  return splitWords(text).map((word) => {
    const at = word.indexOf('=');
    return at <= 0 ? word : { [word.slice(0, at)]: word.slice(at + 1) };
  });
}

/** A move of an entry. */
export interface EntryMove {
  /** Path of the list or map. */
  readonly field: AuthoredPath;
  /** Index and new index of the entry; in a map, the keys. */
  readonly from: number | string;
  readonly to: number | string;
  /** Index among the shown entries after the move. */
  readonly shownAt: number;
}

export interface EntryMoves {
  readonly up?: EntryMove;
  readonly down?: EntryMove;
}

const none: EntryMoves = {};

/** Returns the moves of a list item; none for several targets, whose lists may differ. */
export function listItemMoves(
  { target }: Form,
  field: AuthoredPath,
  index: number,
  count: number,
): EntryMoves {
  if (count < 2 || target.length > 1) return none;
  const move = (to: number): EntryMove => ({ field, from: index, to, shownAt: to });
  return { ...(index > 0 && { up: move(index - 1) }), ...(index < count - 1 && { down: move(index + 1) }) };
}

/** Returns the moves of a map entry, by the keys in order. */
export function mapEntryMoves(
  { target }: Form,
  field: AuthoredPath,
  keys: readonly string[],
  index: number,
): EntryMoves {
  if (keys.length < 2 || target.length > 1) return none;
  const move = (to: number): EntryMove => ({ field, from: keys[index]!, to: keys[to]!, shownAt: to });
  return {
    ...(index > 0 && { up: move(index - 1) }),
    ...(index < keys.length - 1 && { down: move(index + 1) }),
  };
}

/**
 * Returns the moves of a row in a table of pairs: within its map, or with its item past another item of the
 * list.
 */
export function pairMoves(
  { target }: Form,
  field: AuthoredPath,
  rows: readonly PairRow[],
  index: number,
): EntryMoves {
  if (rows.length < 2 || target.length > 1) return none;
  const up = getPairMove(field, rows, index, -1);
  const down = getPairMove(field, rows, index, 1);
  return { ...(up && { up }), ...(down && { down }) };
}

function getPairMove(
  field: AuthoredPath,
  rows: readonly PairRow[],
  index: number,
  by: -1 | 1,
): EntryMove | undefined {
  const [row, beside] = [rows[index]!, rows[index + by]];
  if (!beside) return undefined;
  const holder = row.path.slice(0, row.form === 'map' ? -1 : undefined);
  const [item, other] = [row.path, beside.path].map(([first]) => first);
  // Both in one map: the field itself, or an item with several keys.
  if (row.form === 'map' && beside.form === 'map' && (typeof item !== 'number' || item === other))
    return { field: [...field, ...holder], from: row.name, to: beside.name, shownAt: index + by };
  if (typeof item !== 'number' || typeof other !== 'number') return undefined;
  const passed = rows.filter(({ path: [first] }) => first === other).length;
  return { field, from: item, to: other, shownAt: index + by * passed };
}

/** Whether parameters consist of a schema and defaults, decided by the value of `schema` as in the engine. */
export const isParamsSchema = (value: JsonValue | undefined): boolean =>
  isMap(value) && ['string', 'object'].includes(typeof value['schema']) && value['schema'] !== null;

const isMap = (value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } =>
  value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Lists the paths of the entries and fields that the widget of a field displays with their own messages. Other
 * messages below the field are shown at the field.
 */
export function listNestedPaths(spec: FieldSpec, value: JsonValue | undefined): readonly AuthoredPath[] {
  switch (spec.widget) {
    case 'form':
    case 'forms':
    case 'parallel':
      return isMap(value) ? spec.fields.map(({ name }) => [name]) : listItems(value);
    case 'params':
      return isParamsSchema(value) ? spec.fields.map(({ name }) => [name]) : listPairs(value);
    case 'pairs':
      return listPairs(value);
    case 'texts':
    case 'code':
    case 'secrets':
    case 'conditions':
      return listItems(value);
    case 'logins':
    case 'payloadParams':
      return isMap(value) ? Object.keys(value).map((host) => [host]) : [];
    case 'schedule':
      return isMap(value)
        ? scheduleKinds.flatMap((kind) =>
            listItems(value[kind]).map((schedulePath) => [kind, ...schedulePath]),
          )
        : listItems(value);
    default:
      return [];
  }
}

const listItems = (value: JsonValue | undefined): readonly AuthoredPath[] =>
  Array.isArray(value) ? value.map((_, index) => [index]) : [];

const listPairs = (value: JsonValue | undefined): readonly AuthoredPath[] =>
  readPairs(value ?? null).map(({ path }) => path);
