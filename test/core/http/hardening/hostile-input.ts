import { request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import type { Operation } from '../../../../core/contract/operation.ts';
import { listPathFields, sendsInputInQuery } from '../../../../core/contract/transport.ts';

/** What a test checks. */
export interface ReplySummary {
  readonly status: number;
  readonly type: string | undefined;
  /** Empty for a stream, which is closed at once. */
  readonly body: string;
}

/** Maximum duration of a response on the busiest machine, milliseconds. */
const timeoutMs = 20_000;

/** Sends a raw request, without escaping; a successful stream is not read. Rejects without a response. */
export function sendRawRequest(
  port: number,
  options: { readonly method: string; readonly path: string; readonly body: string | undefined },
  headers: Readonly<Record<string, string>> = {},
): Promise<ReplySummary> {
  return new Promise((resolve, reject) => {
    const { method, path, body } = options;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const given = { ...type, ...headers };
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers: given, agent: false });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`no reply to ${method} ${path}`)));
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const { statusCode: status = 0, headers: received } = incoming;
      const contentType = received['content-type'];
      if (contentType?.startsWith('text/event-stream') === true) {
        incoming.destroy();
        return resolve({ status, type: contentType, body: '' });
      }
      readText(incoming).then((all) => resolve({ status, type: contentType, body: all }), reject);
    });
    outgoing.end(body);
  });
}

/**
 * What requests could change of a home, as one string: workflow files, runs, their steps' statuses, queues, suspended
 * schedules, users and tokens. What a run changes by itself is omitted, and so is the database of the gateway, which
 * writes at any time.
 */
export function readHomeState(home: string): string {
  const files = ['dags', 'data'].flatMap((folder) => listFiles(join(home, folder)));
  const stateFiles = files.filter((file) => !/engine\.db|\.lock$|runs\/|data\/gateway\//.test(file));
  const texts = stateFiles.map((file) => [relative(home, file), readFileSync(file, 'utf8')]);
  const database = new SqliteDatabase(join(home, 'data', 'engine.db'), { readonly: true });
  try {
    const runs = database.prepare('SELECT dag, run_id FROM run ORDER BY key').all();
    const edits = database.prepare("SELECT count(*) AS n FROM event WHERE type = 'step.status_set'").get();
    const queues = database.prepare('SELECT name, state FROM queue ORDER BY name').all();
    return JSON.stringify([texts, runs, edits, queues], undefined, 1);
  } finally {
    database.close();
  }
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** A raw request: not escaped or validated. */
export interface HostileRequest {
  readonly method: string;
  /** Below the mount point of the operation, with the query. */
  readonly path: string;
  /** JSON text, or something similar. */
  readonly body: string | undefined;
}

/** JSON text of a value, or the absence of one. */
type Text = string | undefined;

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Strings that have caused problems elsewhere. */
const hostileTexts = [
  '',
  ' ',
  '.',
  '..',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'a/b',
  'con',
  '\0',
  'seed\0.yaml',
  '\r\nX-Injected: 1',
  '\u202Egnp.yaml',
  'Ａｂｃ',
  'e\u0301',
  '👩‍👩‍👧‍👦',
  '\uD800',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'latest',
  "' OR 1=1 --",
  '%',
  '%00',
  '${jndi:x}',
  '<script>',
  '-1',
  '1e309',
  'x'.repeat(41),
  'x'.repeat(300),
  'x'.repeat(5000),
  '*'.repeat(60),
  '(a+)+$',
  '[',
] as const;

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  // No backtick: text between two of them is a command, and those are run on purpose.
  { weight: 1, arbitrary: fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[`$]/g, '')) },
);

const hostileNumbers = [
  '-1',
  '0',
  '1.5',
  '9007199254740993',
  '1e309',
  '-1e308',
  '1e-320',
  '999999999999',
] as const;

/** JSON of values of all the wrong types. */
const hostileJson = fc.oneof(
  fc.constantFrom(...hostileNumbers),
  fc.constantFrom(
    'null',
    'true',
    '[]',
    '{}',
    '[[]]',
    '["a","b"]',
    nested(2000),
    '{"__proto__":{"role":"admin"}}',
  ),
  fc.constantFrom(
    '{"constructor":{"prototype":{"role":"admin"}}}',
    '{"a":'.repeat(500) + '1' + '}'.repeat(500),
  ),
  hostileText.map((text) => JSON.stringify(text)),
);

/** Keys that no operation has. */
const hostileKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'role',
  'caller',
  '',
  '\0',
  'limit',
] as const;

/** Plausible values of a field: those of the prepared home first, then those of the schema. */
function validInput(schema: TSchema, known: readonly string[]): fc.Arbitrary<string> {
  if (known.length > 0) return fc.constantFrom(...known.map((text) => JSON.stringify(text)));
  const {
    type,
    anyOf,
    items,
    enum: words,
  } = schema as {
    type?: string;
    anyOf?: { const: unknown }[];
    items?: TSchema;
    enum?: unknown[];
  };
  const choices = words ?? anyOf?.map((option) => option.const);
  if (choices !== undefined) return fc.constantFrom(...choices.map((choice) => JSON.stringify(choice)));
  if (type === 'boolean') return fc.constantFrom('true', 'false');
  if (type === 'integer' || type === 'number') return fc.constantFrom('0', '1', '5', '100');
  if (type === 'array' && items) return validInput(items, []).map((item) => `[${item}]`);
  return fc.constantFrom('"a"', '"seed"');
}

/** A string for a path or query, usually with the necessary escapes. */
const inAddress = (json: string): string => {
  const value: unknown = JSON.parse(json.includes('1e309') ? '"1e309"' : json);
  const text = typeof value === 'string' ? value : json;
  return encodeURIComponent(text.toWellFormed()).slice(0, 12_000);
};

const rawSegment = fc.constantFrom(
  '%',
  '%zz',
  '%00',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e',
  '%c0%af',
  '%ff',
  '~',
  ';',
  '::',
);

/** Defects of a request besides its fields. */
const malformedParts = ['segment', 'key', 'body'] as const;

const brokenBodies = ['{', '[]', '"x"', 'null', '{"a":1,}', '\0', '{"a":1e999}', nested(100_000)] as const;

/**
 * Requests to one operation: some valid, most with one defect, some with several.
 * @param known valid values by field
 */
export function hostileRequests(
  operation: Operation,
  known: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<HostileRequest> {
  const { properties, required = [] } = operation.input as {
    properties: Record<string, TSchema>;
    required?: string[];
  };
  const names = Object.keys(properties);
  const right = fc.record(
    Object.fromEntries(
      names.map((name) => {
        const value: fc.Arbitrary<Text> = validInput(properties[name]!, known[name] ?? []);
        return [name, required.includes(name) ? value : fc.oneof(value, fc.constant(undefined))];
      }),
    ),
  );
  const wrong = fc.record(Object.fromEntries(names.map((name) => [name, hostileJson])));
  const places = fc.uniqueArray(fc.constantFrom(...names, ...malformedParts), { maxLength: 2 });
  const more = fc.tuple(
    rawSegment,
    fc.constantFrom(...hostileKeys),
    hostileJson,
    fc.constantFrom(...brokenBodies),
  );
  return fc
    .tuple(right, wrong, places, more)
    .map(([rightOnes, wrongOnes, wrongPlaces, [raw, key, json, brokenBody]]) => {
      const isWrong = (place: string): boolean => wrongPlaces.includes(place);
      const value = (name: string): Text => (isWrong(name) ? wrongOnes[name] : rightOnes[name]);
      const inPath = listPathFields(operation.path);
      const path = inPath.reduce(
        (address, name, index) =>
          address.replace(`{${name}}`, () =>
            index === 0 && isWrong('segment') ? raw : inAddress(value(name) ?? '""'),
          ),
        operation.path,
      );
      const given = names.flatMap((name): [string, string][] => {
        const text = inPath.includes(name) ? undefined : value(name);
        return text === undefined ? [] : [[name, text]];
      });
      if (isWrong('key')) given.push([key, json]);
      const { method } = operation;
      if (sendsInputInQuery(method)) {
        const query = given.map(([name, text]) => `${encodeURIComponent(name)}=${inAddress(text)}`).join('&');
        return { method, path: query === '' ? path : `${path}?${query}`, body: undefined };
      }
      if (isWrong('body')) return { method, path, body: brokenBody };
      return {
        method,
        path,
        body: `{${given.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`,
      };
    });
}
