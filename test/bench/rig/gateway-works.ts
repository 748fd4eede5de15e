import type { Statement } from '../../../core/store/sql/database.ts';

/** An operation to repeat, with and without the gateway. */
export interface GatewayWorkload {
  readonly name: string;
  readonly path: (turn: number) => string;
  readonly body?: string;
  /**
   * What a developer would write with direct access to the database; the result is serialized to JSON there,
   * too.
   */
  readonly plain: (turn: number) => Statement;
}

export const schema = `
CREATE TABLE authors (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE books (id int PRIMARY KEY, title text NOT NULL, author int NOT NULL REFERENCES authors, price numeric);
CREATE TABLE entries (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, word text NOT NULL, number int);
INSERT INTO authors SELECT n, 'author ' || n FROM generate_series(1, 1000) n;
INSERT INTO books SELECT n, 'book ' || n, 1 + n % 1000, n / 7.0 FROM generate_series(1, 10000) n;
CREATE INDEX ON books (author);
ANALYZE;
`;

export const gatewayWorkloads: readonly GatewayWorkload[] = [
  {
    name: 'filtered read',
    path: (turn) => `/books?id=eq.${1 + (turn % 10_000)}`,
    plain: (turn) => ({
      text: `SELECT coalesce(json_agg(b), '[]')::text FROM (SELECT * FROM books WHERE id = $1) b`,
      values: [String(1 + (turn % 10_000))],
    }),
  },
  {
    name: 'embedded read',
    path: (turn) => `/authors?id=eq.${1 + (turn % 1000)}&select=name,books(title,price)`,
    plain: (turn) => ({
      text: `SELECT coalesce(json_agg(a), '[]')::text FROM (
        SELECT name, (SELECT coalesce(json_agg(b), '[]') FROM (
          SELECT title, price FROM books WHERE author = authors.id) b) AS books
        FROM authors WHERE id = $1) a`,
      values: [String(1 + (turn % 1000))],
    }),
  },
  {
    name: 'insert',
    path: () => '/entries',
    body: JSON.stringify({ word: 'one', number: 1 }),
    plain: () => ({ text: 'INSERT INTO entries (word, number) VALUES ($1, $2)', values: ['one', '1'] }),
  },
];
