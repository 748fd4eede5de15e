import type { Condition } from '../query.ts';
import type { Cursor } from './cursor.ts';
import { queryLimits } from './limits.ts';
import { takeField } from './names.ts';
import { parseTest } from './operators.ts';
import { takeBraces, takeElement } from './values.ts';

const takeValue = (cursor: Cursor): string => (cursor.isNext('{') ? takeBraces(cursor) : takeElement(cursor));

/** Parses a group of at least one condition, `(a.eq.1,or(b.is.null,not.and(…)))`. */
export function takeGroup(cursor: Cursor, depth = 1): Condition[] {
  cursor.skipBlanks();
  if (depth > queryLimits.logic)
    cursor.throwSyntaxError(`groups are nested more than ${queryLimits.logic} levels deep`);
  cursor.expect('(');
  const conditions: Condition[] = [];
  for (;;) {
    if (conditions.length === queryLimits.items)
      cursor.throwSyntaxError(`more than ${queryLimits.items} conditions in a group`);
    conditions.push(takeCondition(cursor, depth));
    cursor.skipBlanks();
    if (cursor.take(')')) break;
    cursor.expect(',', '"," or ")"');
  }
  cursor.skipBlanks();
  return conditions;
}

function takeCondition(cursor: Cursor, depth: number): Condition {
  cursor.skipBlanks();
  const isNegated = cursor.isNext('not.');
  const ahead = isNegated ? 4 : 0;
  for (const kind of ['and', 'or'] as const) {
    if (!isGroupNext(cursor, ahead, kind)) continue;
    cursor.at += ahead + kind.length;
    return { kind, isNegated, conditions: takeGroup(cursor, depth + 1) };
  }
  const field = takeField(cursor);
  cursor.expect('.', 'delimiter (.)');
  return { kind: 'test', field, ...parseTest(cursor, takeValue) };
}

function isGroupNext(cursor: Cursor, ahead: number, word: string): boolean {
  if (!cursor.isNext(word, ahead)) return false;
  let offset = ahead + word.length;
  while (cursor.code(offset) === 32) offset += 1;
  return cursor.isNext('(', offset);
}
