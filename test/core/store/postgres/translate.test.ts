import { describe, expect, it } from 'vitest';
import { escapeNul, unescapeNul } from '../../../../core/store/postgres/values.ts';
import { translate } from '../../../../core/store/postgres/translate.ts';

const keys = new Map([['run', 'key']]);

describe('statement for PostgreSQL', () => {
  it.each([
    [
      'numbers its values',
      'SELECT a FROM t WHERE b = ? AND c > ?',
      'SELECT a FROM t WHERE b = $1 AND c > $2',
    ],
    [
      'keeps quoted text and comments',
      `SELECT '? it''s', "?" -- why?\nWHERE a = ?`,
      `SELECT '? it''s', "?" -- why?\nWHERE a = $1`,
    ],
    [
      'has its own row identifiers',
      'FROM t INDEXED BY t_by_a CROSS JOIN u ON u.k = t.k',
      'FROM t  JOIN u ON u.k = t.k',
    ],
    ['searches text', 'SELECT instr(a, ?), "instr(" FROM t', 'SELECT strpos(a, $1), "instr(" FROM t'],
    [
      'returns the generated key',
      '\n  INSERT INTO run (dag) VALUES (?)',
      '\n  INSERT INTO run (dag) VALUES ($1) RETURNING key',
    ],
    [
      'returns requested columns',
      'INSERT INTO run (dag) VALUES (?) RETURNING dag',
      'INSERT INTO run (dag) VALUES ($1) RETURNING dag',
    ],
    [
      'returns no key of other tables',
      'INSERT INTO step (name) VALUES (?)',
      'INSERT INTO step (name) VALUES ($1)',
    ],
  ])('%s', (_, sql, expected) => {
    expect(translate(sql, keys)).toBe(expected);
  });
});

describe('text with NUL', () => {
  it.each(['', 'plain', '\0', 'a\0b\0', '\uE000', '\uE0000\0', '\0\uE000e', '{"a":"\\u0000"}'])(
    'is stored without one and restored: %j',
    (text) => {
      expect(escapeNul(text)).not.toContain('\0');
      expect(unescapeNul(escapeNul(text))).toBe(text);
    },
  );

  it('is distinct from any other text', () => {
    const texts = ['\0', '\uE0000', '\uE000', '\uE000e', '\uE0000e'];
    expect(new Set(texts.map(escapeNul)).size).toBe(texts.length);
  });
});
