import type { OrderTerm } from '../query.ts';
import type { Cursor } from './cursor.ts';
import { queryLimits } from './limits.ts';
import { takeField, takeJsonPath, takeName } from './names.ts';

/** Parses any number of `col[.asc|.desc][.nullsfirst|.nullslast]` or `relation(col)…`, to the end. */
export function takeOrder(cursor: Cursor): OrderTerm[] {
  const terms: OrderTerm[] = [];
  for (;;) {
    if (terms.length === queryLimits.items)
      cursor.throwSyntaxError(`more than ${queryLimits.items} order terms`);
    terms.push(takeTerm(cursor));
    cursor.skipBlanks();
    if (cursor.isAtEnd) return terms;
    cursor.expect(',', '"," or end of input');
  }
}

function takeTerm(cursor: Cursor): OrderTerm {
  cursor.skipBlanks();
  const name = takeName(cursor);
  if (!cursor.take('('))
    return { field: { column: name, json: takeJsonPath(cursor) }, ...takeDirection(cursor) };
  cursor.skipBlanks();
  const field = takeField(cursor);
  cursor.skipBlanks();
  cursor.expect(')');
  return { relation: name, field, ...takeDirection(cursor) };
}

function takeDirection(cursor: Cursor): Pick<OrderTerm, 'direction' | 'nulls'> {
  const isDescending = cursor.take('.desc');
  if (!isDescending) cursor.take('.asc');
  const nulls = cursor.take('.nullsfirst') ? 'first' : cursor.take('.nullslast') ? 'last' : undefined;
  cursor.skipBlanks();
  if (!cursor.isAtEnd && !cursor.isNext(','))
    cursor.fail('asc, desc, nullsfirst, nullslast, "," or end of input', {
      at: cursor.isNext('.') ? cursor.at + 1 : cursor.at,
    });
  return { direction: isDescending ? 'desc' : 'asc', ...(nulls === undefined ? {} : { nulls }) };
}
