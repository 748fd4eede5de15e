import type { AuthoredPath } from '../../../../../core/edit/outline.ts';
import type { Form } from '../../form/form-context.ts';
import type { PairRow } from '../pairs/read-pairs.ts';

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
  const up = moveOfPair(field, rows, index, -1);
  const down = moveOfPair(field, rows, index, 1);
  return { ...(up && { up }), ...(down && { down }) };
}

function moveOfPair(
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
