import type { Aggregate, SelectItem } from './query.ts';
import { type Cursor, queryLimits, takeField, takeIdentifier, takeName } from './cursor.ts';

const TYPE = 'type name [a..z0..9_$]';

const aggregates = ['avg', 'count', 'max', 'min', 'sum'] as const;

/** Progress of parsing `select=`: the counter over all levels, and the nesting depth. */
interface Progress {
  readonly count: { items: number; resources: number };
  readonly depth: number;
}

/** Parses the value of `select=`, to its end. */
export const takeSelect = (cursor: Cursor): SelectItem[] =>
  takeItems(cursor, { count: { items: 0, resources: 0 }, depth: 0 });

function takeItems(cursor: Cursor, progress: Progress): SelectItem[] {
  const items: SelectItem[] = [];
  cursor.skipBlanks();
  if (cursor.isAtEnd || cursor.isNext(')')) return items;
  for (;;) {
    progress.count.items += 1;
    if (progress.count.items > queryLimits.items)
      cursor.throwSyntaxError(`more than ${queryLimits.items} columns`);
    items.push(takeItem(cursor, progress));
    cursor.skipBlanks();
    if (!cursor.take(',')) return items;
  }
}

function takeItem(cursor: Cursor, progress: Progress): SelectItem {
  cursor.skipBlanks();
  if (cursor.take('*')) {
    cursor.skipBlanks();
    expectItemEnd(cursor);
    return { kind: 'all' };
  }
  if (cursor.take('...')) return takeSpread(cursor, progress);
  let isBare = !cursor.isNext('"');
  let at = cursor.at;
  let name = takeName(cursor);
  let alias: string | undefined;
  if (cursor.isNext(':') && !cursor.isNext('::')) {
    cursor.at += 1;
    cursor.skipBlanks();
    alias = name;
    isBare = !cursor.isNext('"');
    at = cursor.at;
    name = takeName(cursor);
  }
  const named = alias === undefined ? {} : { alias };
  if (isBare && name === 'count' && cursor.take('()'))
    return end(cursor, { kind: 'field', ...named, aggregate: { function: 'count', ...takeCast(cursor) } });
  if (cursor.isNext('!') || cursor.isNext('('))
    return { kind: 'embed', target: name, ...named, isSpread: false, ...takeEmbedded(cursor, progress) };
  cursor.at = at;
  return takeFieldItem(cursor, named);
}

function takeSpread(cursor: Cursor, progress: Progress): SelectItem {
  const target = takeName(cursor);
  if (cursor.isNext(':'))
    cursor.throwSyntaxError(
      'a spread resource cannot have an alias: its columns become columns of the parent',
    );
  return { kind: 'embed', target, isSpread: true, ...takeEmbedded(cursor, progress) };
}

function takeFieldItem(cursor: Cursor, named: { readonly alias?: string }): SelectItem {
  const field = takeField(cursor);
  const cast = takeCast(cursor);
  if (!cursor.take('.')) return end(cursor, { kind: 'field', ...named, field, ...cast });
  const called = aggregates.find((each) => cursor.take(`${each}()`));
  if (called === undefined)
    return cursor.fail(`aggregate (${aggregates.map((each) => `${each}()`).join(', ')})`);
  const aggregate: { function: Aggregate; cast?: string } = { function: called, ...takeCast(cursor) };
  return end(cursor, { kind: 'field', ...named, field, ...cast, aggregate });
}

function takeCast(cursor: Cursor): { readonly cast?: string } {
  return cursor.take('::') ? { cast: takeIdentifier(cursor, TYPE) } : {};
}

interface Embedded {
  readonly hint?: string;
  readonly isInner: boolean;
  readonly items: readonly SelectItem[];
}

/** Parses `[!hint][!inner|!left](…)`; hint and join may be in either order. */
function takeEmbedded(cursor: Cursor, { count, depth }: Progress): Embedded {
  let hint: string | undefined;
  let join: string | undefined;
  while (cursor.take('!')) {
    const at = cursor.at;
    const isBare = !cursor.isNext('"');
    const word = takeName(cursor);
    const isJoin = isBare && (word === 'inner' || word === 'left');
    if (isJoin ? join !== undefined : hint !== undefined)
      cursor.throwSyntaxError(isJoin ? 'duplicate join type' : 'only one hint is allowed per resource', {
        at,
      });
    if (isJoin) join = word;
    else hint = word;
  }
  if (depth >= queryLimits.embedding)
    cursor.throwSyntaxError(`resources are embedded more than ${queryLimits.embedding} levels deep`);
  count.resources += 1;
  if (count.resources > queryLimits.resources)
    cursor.throwSyntaxError(`more than ${queryLimits.resources} embedded resources`);
  cursor.expect('(');
  const items = takeItems(cursor, { count, depth: depth + 1 });
  cursor.expect(')', '"," or ")"');
  cursor.skipBlanks();
  expectItemEnd(cursor);
  return { ...(hint === undefined ? {} : { hint }), isInner: join === 'inner', items };
}

function end(cursor: Cursor, item: SelectItem): SelectItem {
  cursor.skipBlanks();
  expectItemEnd(cursor);
  return item;
}

function expectItemEnd(cursor: Cursor): void {
  if (cursor.isAtEnd || cursor.isNext(',') || cursor.isNext(')')) return;
  cursor.fail('"," or end of input');
}
