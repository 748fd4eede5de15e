import type { Statement } from './database.ts';

/** Name and value of a PostgreSQL setting. */
export type Setting = readonly [name: string, value: string];

/** Cached SQL by setting names, because requests set the same ones repeatedly. */
const texts = new Map<string, string>();
const maxTexts = 100;

/**
 * Returns a statement that sets each setting for the transaction, in order. It returns one number instead of all
 * values.
 */
export function setStatement(settings: readonly Setting[]): Statement {
  const names = settings.map(([name]) => name);
  return { text: textOf(names), values: settings.map(([, value]) => value) };
}

function textOf(names: readonly string[]): string {
  const key = names.join('\n');
  const known = texts.get(key);
  if (known !== undefined) return known;
  const calls = names.map((name, index) => `set_config(${quoteText(name)}, $${index + 1}, true)`);
  const made = `SELECT num_nulls(${calls.join(', ')})`;
  if (texts.size >= maxTexts) texts.clear();
  texts.set(key, made);
  return made;
}

/** Quotes a string for SQL. In this form, a backslash has the same meaning in every session. */
const quoteText = (text: string): string => `E'${text.replaceAll('\\', '\\\\').replaceAll(`'`, `''`)}'`;
