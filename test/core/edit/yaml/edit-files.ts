import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lexer, parseAllDocuments } from 'yaml';
import type { JsonValue } from '../../../../core/base/json.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/edit');

/** The files as people write them, by name. */
export const editFiles: readonly { readonly name: string; readonly text: string }[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .toSorted()
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

/** The values of a text's documents according to the YAML library. */
export function valuesOf(text: string): JsonValue[] {
  const documents = parseAllDocuments(text, { merge: true, stringKeys: true, logLevel: 'silent' });
  if (!Array.isArray(documents)) return [null];
  for (const { errors } of documents) if (errors[0] !== undefined) throw errors[0];
  return documents.map((document) => document.toJS() as JsonValue);
}

export interface Comment {
  readonly at: number;
  readonly text: string;
}

export function commentsOf(text: string): Comment[] {
  const comments: Comment[] = [];
  let at = 0;
  let before = '';
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme.startsWith('#') && before !== '\u001F') comments.push({ at, text: lexeme });
    // These three mark positions and are not text.
    if (!['\u001F', '\u0002', '\u0018'].includes(lexeme)) at += lexeme.length;
    before = lexeme;
  }
  return comments;
}
