import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { checkCalls, prepareApi } from '../../../core/api/create-api.ts';
import type { Caller } from '../../../core/api/engine-api.ts';
import { operations, streams, type OperationName } from '../../../core/contract/operations.ts';
import { listReferenceGroups, listSchemaEntries, formatType } from '../../../core/contract/api-reference.ts';
import { readInput } from '../../../core/http/operation-routes.ts';
import { FakeApi } from '../../harness/server.ts';

await prepareApi();

const entries = listReferenceGroups().flatMap((group) => group.entries);
const find = (name: string) => entries.find((entry) => entry.name === name)!;

test('lists every operation and stream', () => {
  expect(entries.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(operations), ...Object.keys(streams)].toSorted(),
  );
});

test('shows location, type and meaning of fields', () => {
  const { method, path, role, input, errors } = find('dags.start');
  expect({ method, path, role }).toEqual({
    method: 'POST',
    path: '/dags/{fileName}/start',
    role: 'operator',
  });
  expect(input.slice(0, 2)).toMatchObject([
    { name: 'fileName', location: 'path', type: 'string', required: true },
    { name: 'params', location: 'body', type: 'string', required: false },
  ]);
  expect(errors[0]).toMatchObject({ code: 'not_found', http: 404 });
  expect(find('runs.list').input.find(({ name }) => name === 'limit')).toMatchObject({
    location: 'query',
    type: 'integer, 1 to 1000',
  });
  expect(find('auth.info').role).toBeUndefined();
  expect(find('runs.get').outputSchema).toBe('RunDetailView');
});

test('shows types in words, and schemas by name', () => {
  const { output } = operations['dags.search'];
  expect(formatType(operations['runs.get'].output)).toBe('RunDetailView');
  expect(formatType(output.properties.results)).toBe('list of {fileName, name, matches, more}');
  const shapes = listSchemaEntries();
  expect(shapes.find(({ name }) => name === 'RunId')).toMatchObject({ type: 'string', fields: [] });
  expect(shapes.find(({ name }) => name === 'AttemptView')?.fields[0]).toMatchObject({ name: 'attempt' });
});

/** The words of a command, as a shell parses them. */
const splitCommand = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }; ${command}`], {
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);

interface Request {
  method: string;
  url: URL;
  body: unknown;
}

function readCommand(command: string): Request {
  const words = splitCommand(command);
  const valueOf = (option: string): string | undefined => words[words.indexOf(option) + 1 || Infinity];
  const data = valueOf('-d');
  return {
    method: valueOf('-X') ?? 'GET',
    url: new URL(words.at(-1)!),
    body: data === undefined ? undefined : JSON.parse(data),
  };
}

if (process.platform !== 'win32') {
  describe('the request to copy', () => {
    const caller: Caller = { via: 'http', name: 'http' };

    test.each(entries.map((entry) => [entry.name, entry] as const))('%s is accepted', async (name, entry) => {
      const { method, url, body } = readCommand(entry.curl('http://here/api/v2'));
      expect(method).toBe(entry.method);
      const pattern = new RegExp(`^${entry.mount}${entry.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
      const pathValues = { ...pattern.exec(url.pathname)!.groups };
      const table = entry.isStream ? streams : operations;
      const { input: schema } = table[name as never] as {
        input: (typeof operations)[OperationName]['input'];
      };
      const input = readInput(
        { method, path: entry.path, input: schema },
        { url: url.pathname + url.search, pathValues, body },
      );
      const api = new FakeApi();
      if (entry.isStream) {
        const end = (error: unknown): void => expect(error).toBeUndefined();
        checkCalls(api, { add() {} }).follow(name as never, input as never, { item() {}, end }, caller);
        expect(api.streams).toHaveLength(1);
      } else await checkCalls(api, { add() {} }).call(name as never, input as never, caller);
    });
  });
}
