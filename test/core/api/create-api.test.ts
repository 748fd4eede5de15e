import { describe, expect, test } from 'vitest';
import { checkCalls } from '../../../core/api/create-api.ts';
import { formatValidationIssue } from '../../../core/api/explain-input.ts';
import { operations, streams } from '../../../core/contract/operations.ts';
import type { EngineApi } from '../../../core/api/engine-api.ts';
import type { ErrorBody } from '../../../core/base/errors.ts';
import { testCaller } from '../../harness/engine.ts';

/** Calls that passed validation, and a way to make calls with any input. */
function setUp() {
  const calls: unknown[] = [];
  const inner = {
    call: async (name: string, input: unknown) => void calls.push([name, input]),
    follow: (name: string, input: unknown) => {
      calls.push([name, input]);
      return () => {};
    },
  } as unknown as EngineApi;
  const api = checkCalls(inner, { add() {} });
  const call = (name: string, input: unknown): Promise<unknown> =>
    api.call(name as 'runs.get', input as never, testCaller);
  return { api, calls, call };
}

describe('input validation', () => {
  test('accepts valid input', async () => {
    const { calls, call } = setUp();
    await call('runs.get', { name: 'a', dagRunId: 'x' });
    await call('runs.list', { limit: 10, cursor: undefined });
    expect(calls).toEqual([
      ['runs.get', { name: 'a', dagRunId: 'x' }],
      ['runs.list', { limit: 10, cursor: undefined }],
    ]);
  });

  test.each([
    ['runs.list', { nmae: 'a' }, 'nmae: unknown field. Did you mean "name"?', 'nmae'],
    [
      'users.resetPassword',
      { userId: 'u', password: 'x' },
      'password: unknown field. Known fields: userId, newPassword.',
      'password',
    ],
    ['system.info', { zzzzzzzz: 1 }, 'zzzzzzzz: unknown field. No fields are allowed here.', 'zzzzzzzz'],
    [
      'webhooks.create',
      { url: 'https://example.com', options: { allowPrivat: true } },
      'options.allowPrivat: unknown field. Did you mean "allowPrivate"?',
      'options.allowPrivat',
    ],
    [
      'webhooks.create',
      { url: 'https://example.com', options: { installations: [{ id: 1, account: 'octo', zzzz: 1 }] } },
      'options.installations.0.zzzz: unknown field. Known fields: id, account, repositories.',
      'options.installations.0.zzzz',
    ],
    ['runs.get', { name: 'a' }, 'dagRunId: is missing', 'dagRunId'],
    ['runs.list', { limit: 0 }, /^limit: .*1/, 'limit'],
    ['runs.list', { limit: 5000 }, 'limit: must be at most 1000 (got 5000)', 'limit'],
    ['auth.login', { username: '', password: 'x' }, 'username: must not be empty', 'username'],
    [
      'users.resetPassword',
      { userId: 'u', newPassword: 'secret' },
      'newPassword: must have at least 8 characters (has 6)',
      'newPassword',
    ],
    [
      'webhooks.create',
      { kind: 'app', owner: 'x'.repeat(10_000), url: 'https://example.com' },
      'owner: must have at most 200 characters (has 10000)',
      'owner',
    ],
    ['webhooks.update', { hookId: 1, events: [] }, 'events: must have at least 1 entry', 'events'],
    ['runs.list', { limit: '5' }, 'limit: must be a whole number (got "5")', 'limit'],
    [
      'runs.list',
      { status: ['done'] },
      /^status\.0: must be one of not_started, queued, running, succeeded, partially_succeeded, failed, aborted \(got "done"\)/,
      'status.0',
    ],
    [
      'runs.get',
      { name: '../etc', dagRunId: 'x' },
      'name: must be 1 to 40 characters: letters, digits, "_", "." and "-" (got "../etc")',
      'name',
    ],
    [
      'dags.start',
      { fileName: 'a', dagName: 'x'.repeat(200) },
      `dagName: must be 1 to 40 characters: letters, digits, "_", "." and "-" (got "${'x'.repeat(79)}…)`,
      'dagName',
    ],
    [
      'dags.start',
      { fileName: 'a', dagRunId: 'a b' },
      'dagRunId: must be 1 to 64 characters: letters, digits, "-" and "_" (got "a b")',
      'dagRunId',
    ],
    [
      'runs.start',
      { spec: 'steps: [a]', name: '' },
      'name: must be 1 to 40 characters: letters, digits, "_", "." and "-" (got "")',
      'name',
    ],
    ['runs.start', { spec: 'steps: [a]', name: '..' }, 'name: must not be "." or ".." (got "..")', 'name'],
    [
      'dags.start',
      { fileName: 'etl', dagName: '.' },
      'dagName: must not be "." or ".." (got ".")',
      'dagName',
    ],
    [
      'runs.calendar',
      { fromDate: 'yesterday', toDate: '2026-01-31' },
      'fromDate: must be a date such as 2026-01-31 (got "yesterday")',
      'fromDate',
    ],
    ['dags.get', { fileName: '../secret' }, /^fileName: must be 1 to 80 .*without a folder/, 'fileName'],
  ])('rejects %s as %j', async (name, input, message, field) => {
    const { calls, call } = setUp();
    await expect(call(name, input)).rejects.toMatchObject({
      code: 'bad_request',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      details: { field },
    });
    expect(calls).toEqual([]);
  });

  test('describes string constraints in words, for every operation', () => {
    const schemas = [...Object.values(operations), ...Object.values(streams)].map(({ input }) => input);
    const patterns = JSON.stringify(schemas).matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g);
    const written = new Set(Array.from(patterns, ([, text]) => JSON.parse(text!) as string));
    expect(written.size).toBeGreaterThan(5);
    for (const pattern of written) {
      const misfit = { keyword: 'pattern', params: { pattern }, message: `must match pattern ${pattern}` };
      expect(formatValidationIssue(misfit, 'x')).toMatch(/^must .* \(got "x"\)$/);
    }
  });

  test.each([[null], ['text'], [[1]], [undefined]])(
    'rejects input that is not an object: %j',
    async (input) => {
      await expect(setUp().call('runs.list', input)).rejects.toMatchObject({ code: 'bad_request' });
    },
  );

  test('rejects unknown operations', async () => {
    for (const name of ['runs.explode', 'toString', '__proto__'])
      await expect(setUp().call(name, {})).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of streams rejects through the stream, not on the caller’s stack', async () => {
    const { api, calls } = setUp();
    const { promise, resolve } = Promise.withResolvers<ErrorBody | undefined>();
    api.follow('events.follow', { aftr: 3 } as never, { item: () => {}, end: resolve }, testCaller);
    expect(await promise).toEqual({
      code: 'bad_request',
      message: 'aftr: unknown field. Did you mean "after"?',
      details: { field: 'aftr' },
    });
    expect(calls).toEqual([]);
  });
});
