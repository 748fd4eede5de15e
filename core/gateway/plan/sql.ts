import type { Statement } from '../database/database.ts';

/** A value of a statement: it is bound, never pasted. */
interface Bound {
  readonly bound: string | null;
  /** Of those that are one parameter wherever they are the same. */
  readonly type?: 'text' | 'int';
}

/** A piece of SQL: text, bound values and other pieces in order. Made only by the functions of this file. */
export interface Sql {
  readonly parts: readonly (string | Bound | Sql)[];
}

/** Text of this program with pieces in it: nothing of a request can get into the text. */
export function sql(texts: TemplateStringsArray, ...pieces: readonly Sql[]): Sql {
  const parts: (string | Sql)[] = [];
  for (const [index, text] of texts.entries()) {
    if (text !== '') parts.push(text);
    const piece = pieces[index];
    if (piece !== undefined) parts.push(piece);
  }
  return { parts };
}

/** A value: a parameter of the statement. PostgreSQL reads it by the type of its place, or of its cast. */
export function bind(value: string | null): Sql {
  return { parts: [{ bound: value }] };
}

/**
 * A key or an index within JSON. The same is the same parameter, so that PostgreSQL sees that what is selected is what
 * rows are gathered and ordered by.
 */
export function bindKey(key: string | number): Sql {
  const type = typeof key === 'number' ? 'int' : 'text';
  return { parts: [{ bound: String(key), type }, `::${type}`] };
}

/** A name, quoted; several are joined by dots. What follows a NUL is cut off: PostgreSQL knows no such names. */
export function name(...names: readonly string[]): Sql {
  return { parts: [names.map(quote).join('.')] };
}

/** SQL that the catalog read from the database: types, functions, defaults. Never text of a request. */
export function trusted(text: string): Sql {
  return { parts: [text] };
}

export function join(pieces: readonly Sql[], separator: ', ' | ' AND ' | ' OR ' | ' ' | " || ',' || "): Sql {
  return { parts: pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece])) };
}

export function toStatement(piece: Sql): Statement {
  const values: (string | null)[] = [];
  const texts: string[] = [];
  const shared = new Map<string, number>();
  const numberOf = ({ bound, type }: Bound): number => {
    if (type === undefined) return values.push(bound);
    const known = shared.get(`${type} ${bound}`) ?? values.push(bound);
    shared.set(`${type} ${bound}`, known);
    return known;
  };
  const add = (one: Sql): void => {
    for (const part of one.parts) {
      if (typeof part === 'string') texts.push(part);
      else if ('bound' in part) texts.push(`$${numberOf(part)}`);
      else add(part);
    }
  };
  add(piece);
  return { text: texts.join(''), values };
}

function quote(text: string): string {
  const end = text.indexOf('\0');
  return `"${(end === -1 ? text : text.slice(0, end)).replaceAll('"', '""')}"`;
}
