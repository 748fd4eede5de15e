import type { Statement } from './database.ts';

/** What PostgreSQL calls a setting, and its value. */
export type Setting = readonly [name: string, value: string];

/** Texts by the names of what they set: requests set the same ones again and again. */
const texts = new Map<string, string>();
const mostTexts = 100;

/** The statement that sets each for the transaction alone, in their order. A number comes back instead of all that was sent. */
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
  if (texts.size >= mostTexts) texts.clear();
  texts.set(key, made);
  return made;
}

/** In this form a backslash means the same in every session. */
const quoteText = (text: string): string => `E'${text.replaceAll('\\', '\\\\').replaceAll(`'`, `''`)}'`;
