import type { JsonValue } from '../../../../../core/base/json.ts';
import type { AuthoredPath } from '../../../../../core/edit/outline.ts';
import { splitWords } from '../../../../../core/spec/split-words.ts';
import { textOfValue } from '../../form/form-context.ts';

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
    const text = textOfValue(item);
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
  value: textOfValue(plain),
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
