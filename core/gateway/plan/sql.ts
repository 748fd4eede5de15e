import type { Statement } from '../../store/sql/database.ts';
import { GatewayError } from '../gateway-error.ts';

/** A bound value of a statement. */
interface Bound {
  readonly bound: string | null;
  /** Set for values that share one parameter if equal. */
  readonly type?: 'text' | 'int';
}

/** A fragment of SQL: text, bound values and other fragments in order. Created only by the functions of this file. */
export interface Sql {
  readonly parts: readonly (string | Bound | Sql)[];
}

/** Template tag for SQL. Request data cannot get into the text. */
export function sql(texts: TemplateStringsArray, ...pieces: readonly Sql[]): Sql {
  const parts: (string | Sql)[] = [];
  for (const [index, text] of texts.entries()) {
    if (text !== '') parts.push(text);
    const piece = pieces[index];
    if (piece !== undefined) parts.push(piece);
  }
  return { parts };
}

/** Returns a bound parameter. PostgreSQL infers its type from the context or cast. */
export function bind(value: string | null): Sql {
  return { parts: [{ bound: value }] };
}

/**
 * Returns a bound JSON key or index. Equal keys share one parameter, so that PostgreSQL recognizes the same expression
 * in SELECT, GROUP BY and ORDER BY.
 */
export function bindKey(key: string | number): Sql {
  const type = typeof key === 'number' ? 'int' : 'text';
  return { parts: [{ bound: String(key), type }, `::${type}`] };
}

/**
 * Returns a quoted name; several parts are joined by dots. Everything after a NUL is cut off, because PostgreSQL names
 * cannot contain it.
 */
export function identifier(...names: readonly string[]): Sql {
  return { parts: [names.map(quote).join('.')] };
}

/** Returns SQL read from the database catalog: types, functions, defaults. Never use it with request data. */
export function catalogSql(text: string): Sql {
  return { parts: [text] };
}

export function join(pieces: readonly Sql[], separator: ', ' | ' AND ' | ' OR ' | ' ' | " || ',' || "): Sql {
  return { parts: pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece])) };
}

export function toStatement(piece: Sql): Statement {
  const values: (string | null)[] = [];
  const texts: string[] = [];
  const shared = new Map<string, number>();
  const toNumber = ({ bound, type }: Bound): number => {
    if (type === undefined) return values.push(bound);
    const known = shared.get(`${type} ${bound}`) ?? values.push(bound);
    shared.set(`${type} ${bound}`, known);
    return known;
  };
  const add = (one: Sql): void => {
    for (const part of one.parts) {
      if (typeof part === 'string') texts.push(part);
      else if ('bound' in part) texts.push(`$${toNumber(part)}`);
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

/** Returns the error for a filter or order of a resource that is not embedded. */
export const unknownEmbedError = (called: string): GatewayError =>
  new GatewayError(400, 'PGRST108', `'${called}' is not an embedded resource in this request`, {
    hint: `Verify that '${called}' is included in the 'select' query parameter.`,
  });
