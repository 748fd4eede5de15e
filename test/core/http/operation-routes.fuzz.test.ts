import { request as startRequest } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Operation } from '../../../core/contract/operation.ts';
import { listPathFields, sendsInputInQuery, getPrefix } from '../../../core/contract/transport.ts';
import { errorCodes, type ErrorCode } from '../../../core/base/error-codes.ts';
import { operations, streams } from '../../../core/contract/operations.ts';
import { fuzzing, fuzzTimeoutMs } from '../../harness/fuzzing.ts';
import type { TestEngine } from '../../harness/engine.ts';
import { serveWithAuth } from '../../harness/server.ts';

/** What a test checks. */
interface ReplySummary {
  readonly status: number;
  readonly type: string | undefined;
  /** Empty for a stream, which is closed at once. */
  readonly body: string;
}

/** Maximum duration of a response on the busiest machine, milliseconds. */
const timeoutMs = 20_000;

/** Sends a raw request, without escaping; a successful stream is not read. Rejects without a response. */
function sendRawRequest(
  port: number,
  options: { readonly method: string; readonly path: string; readonly body: string | undefined },
  headers: Readonly<Record<string, string>> = {},
): Promise<ReplySummary> {
  return new Promise((resolve, reject) => {
    const { method, path, body } = options;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const given = { ...type, ...headers };
    const outgoing = startRequest({ host: '127.0.0.1', port, method, path, headers: given, agent: false });
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
 * Returns what requests could change of a home, as one string: workflow files, runs, their steps' statuses, queues,
 * suspended schedules, users and tokens. What a run changes by itself is omitted, and so is the database of the
 * gateway, which writes at any time.
 */
function watchHomeState(home: string): () => string {
  const database = new SqliteDatabase(join(home, 'data', 'engine.db'), { readonly: true });
  onTestFinished(() => void database.close());
  const runs = database.prepare('SELECT dag, run_id FROM run ORDER BY key');
  const edits = database.prepare("SELECT count(*) AS n FROM event WHERE type = 'step.status_set'");
  const queues = database.prepare('SELECT name, state FROM queue ORDER BY name');
  return () => {
    const files = ['dags', 'data'].flatMap((folder) => listFiles(join(home, folder)));
    const stateFiles = files.filter((file) => !/engine\.db|\.lock$|runs\//.test(file));
    const texts = stateFiles.map((file) => [relative(home, file), readFileSync(file, 'utf8')]);
    return JSON.stringify([texts, runs.all(), edits.get(), queues.all()], undefined, 1);
  };
}

/** The files below a folder, without the thousand files of the gateway's database. */
const listFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return path.endsWith('data/gateway') ? [] : listFiles(path);
    return entry.isFile() ? [path] : [];
  });

/** A raw request: not escaped or validated. */
interface HostileRequest {
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
function hostileRequests(
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

const spec = 'steps: [{name: one, command: "true"}]';

/** Valid values of the prepared home, by field. */
const known: Readonly<Record<string, readonly string[]>> = {
  fileName: ['seed'],
  name: ['seed', 'other'],
  newFileName: ['renamed'],
  dagName: ['seed', 'overridden'],
  dagRunId: ['r1', 'latest', 'r2'],
  fromRunId: ['r1'],
  subRunId: ['r1'],
  step: ['one'],
  stepName: ['one'],
  spec: [spec, 'steps: [', ''],
  queue: ['seed', 'other'],
  params: ['A=1', ''],
  fromDate: ['2026-01-01'],
  toDate: ['1767225600'],
  duration: ['1h'],
  userId: ['nobody'],
  tokenId: ['none'],
  username: ['ada'],
  password: ['correct horse battery'],
  newPassword: ['correct horse staple'],
  cursor: ['MQ'],
  q: ['true'],
  id: ['g-001', 'p-001', 'g-087'],
};

interface Target {
  readonly engine: TestEngine;
  ask(request: HostileRequest, operation: Operation): Promise<ReplySummary>;
}

/** A real engine with a run that has ended, behind a real server, called by an admin, with time passing. */
async function openTarget(): Promise<Target> {
  const served = await serveWithAuth();
  const { engine } = served;
  engine.host.monitorResources();
  writeFileSync(join(engine.home, 'dags', 'seed.yaml'), spec);
  const source = { fileName: 'seed' };
  await engine.end(await engine.host.startRun({ source, trigger: 'api', dagRunId: 'r1' }));
  const { token } = await served.enter('root', 'admin');
  const beat = setInterval(() => engine.clock.advance(2), 2);
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]();
    clearInterval(beat);
  });
  const headers = { authorization: `Bearer ${token}` };
  const port = Number(new URL(served.url).port);
  const ask: Target['ask'] = ({ path: address, ...rest }, operation) =>
    sendRawRequest(port, { ...rest, path: getPrefix(operation) + address }, headers);
  return { engine, ask };
}

/** What is wrong with a response to any request; undefined when it is well-formed. */
function findServerError({ status, type, body }: ReplySummary, name = ''): string | undefined {
  if (status >= 500 || (status === 401 && !name.startsWith('auth.'))) return `status ${status}: ${body}`;
  if (status < 400) return undefined;
  if (type !== 'application/json; charset=utf-8') return `content type ${type}`;
  const { code, message, details, ...rest } = JSON.parse(body) as Record<string, unknown>;
  if (typeof code !== 'string' || !(code in errorCodes)) return `unknown code in ${body}`;
  if (errorCodes[code as ErrorCode].http !== status) return `${code} with status ${status}`;
  if (typeof message !== 'string' || message.trim() === '') return `no message in ${body}`;
  if (details !== undefined && (typeof details !== 'object' || details === null)) return `details in ${body}`;
  return Object.keys(rest).length === 0 ? undefined : `more than a refusal: ${body}`;
}

/** Deletions come last, so that the others have their targets; logging out would invalidate everything after it. */
const harm = (name: string, { method }: Operation): number =>
  name === 'auth.changePassword' || name === 'auth.logout'
    ? 3
    : method === 'DELETE'
      ? 2
      : Number(name === 'dags.rename');

const listed = Object.entries<Operation>(operations).toSorted(
  ([a, one], [b, other]) => harm(a, one) - harm(b, other),
);
/** @param share number of operations called */
const settings = (share: number): fc.Parameters<[HostileRequest]> => ({
  ...fuzzing(6, 3, share),
  endOnFailure: true,
});

beforeEach(() => void vi.stubEnv('ENGINE_SECRETS_KEY', '0123456789abcdef'.repeat(3)));

// One engine for all of them: preparing it takes longer than sending all requests of an operation.
describe('hostile requests', { timeout: fuzzTimeoutMs }, () => {
  test('to an operation get a well-formed response, and change nothing when rejected', async () => {
    const { engine, ask } = await openTarget();
    const readHomeState = watchHomeState(engine.home);
    for (const [name, operation] of listed) {
      if (name === 'auth.logout') continue;
      await fc.assert(
        fc.asyncProperty(hostileRequests(operation, known), async (request) => {
          const before = readHomeState();
          const reply = await ask(request, operation);
          const fault = findServerError(reply, name);
          const isChanged = reply.status >= 400 && readHomeState() !== before;
          expect({ name, fault, isChanged }).toEqual({ name, fault: undefined, isChanged: false });
        }),
        settings(listed.length),
      );
    }
    expect(({} as Record<string, unknown>)['role']).toBeUndefined();
    expect(engine.reports.filter((report) => report.includes('request failed'))).toEqual([]);
  });

  test('to a stream get a well-formed response', async () => {
    const { engine, ask } = await openTarget();
    for (const [name, stream] of Object.entries(streams)) {
      const operation: Operation = { ...stream, method: 'GET', output: stream.item };
      await fc.assert(
        fc.asyncProperty(hostileRequests(operation, known), async (request) => {
          expect({ name, fault: findServerError(await ask(request, operation)) }).toEqual({
            name,
            fault: undefined,
          });
        }),
        settings(Object.keys(streams).length),
      );
    }
    expect(engine.reports.filter((report) => report.includes('request failed'))).toEqual([]);
  });
});
