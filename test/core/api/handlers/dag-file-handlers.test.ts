import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openApiHarness } from '../../../harness/server.ts';

const error = (status: number, code: string, field?: string) => ({
  status,
  body: { code, message: expect.any(String), ...(field === undefined ? {} : { details: { field } }) },
});

const badNames = [
  ['41 characters', 'x'.repeat(41)],
  ['a space', 'my flow'],
  ['a folder', 'a/b'],
  ['a way up', '../up'],
  ['another alphabet', 'größe'],
  ['nothing', ''],
  ['a NUL', 'a\0b'],
] as const;

describe('POST /dags', () => {
  test('creates a file with the exact text, or with a first step', async () => {
    const harness = await openApiHarness();
    const spec = '# mine\r\nname: other\nsteps: ["echo ü"]\n';
    const made = await harness.send('POST', '/dags', { name: 'my.flow-1', spec });
    expect(made).toMatchObject({ status: 201, body: { name: 'other', fileName: 'my.flow-1' } });
    expect(readFileSync(harness.fileOf('my.flow-1'), 'utf8')).toBe(spec);
    expect(await harness.send('POST', '/dags', { name: 'first' })).toMatchObject({ body: { name: 'first' } });
    const run = await harness.send('POST', '/dags/first/start');
    expect(await harness.engine.end(run.body as never)).toMatchObject({ status: 'succeeded' });
    expect(readdirSync(path.join(harness.engine.home, 'dags')).toSorted()).toEqual([
      'first.yaml',
      'my.flow-1.yaml',
    ]);
  });

  test.each([
    ['with a spec', { spec: 'steps: ["true"]' }],
    ['without a spec', {}],
  ])('validates the name %s', async (_, rest) => {
    const harness = await openApiHarness();
    for (const [, name] of badNames)
      expect(await harness.send('POST', '/dags', { name, ...rest })).toMatchObject(
        error(400, 'bad_request', 'name'),
      );
    expect(await harness.send('POST', '/dags', { name: '.hidden', ...rest })).toMatchObject(
      error(400, 'bad_request', 'name'),
    );
    expect(readdirSync(path.join(harness.engine.home, 'dags'))).toEqual([]);
  });

  test('writes nothing for a spec with errors, and returns their locations', async () => {
    const harness = await openApiHarness();
    const made = await harness.send('POST', '/dags', { name: 'a', spec: 'steps:\n  - comand: x\n' });
    expect(made).toMatchObject({
      status: 400,
      body: { code: 'invalid_spec', details: { diagnostics: [{ line: 2, column: 5 }] } },
    });
    expect(existsSync(harness.fileOf('a'))).toBe(false);
    expect(await harness.send('POST', '/dags', { name: 'a', spec: 'steps: ["\0"]' })).toMatchObject(
      error(400, 'invalid_spec'),
    );
    const half = await harness.send('POST', '/dags', { name: 'a', spec: 'steps: ["\uD800"]' });
    expect(half).toMatchObject(error(400, 'bad_request', 'spec'));
  });

  test('does not overwrite a file, whatever its extension', async () => {
    const harness = await openApiHarness();
    harness.write('a', 'steps: ["true"]');
    expect(await harness.send('POST', '/dags', { name: 'a' })).toMatchObject(error(409, 'already_exists'));
    const both = await Promise.all([1, 2, 3].map(() => harness.send('POST', '/dags', { name: 'same' })));
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409']);
  });
});

test('recreates a deleted workflow directory, and rejects a file in its place', async () => {
  const harness = await openApiHarness();
  const folder = path.join(harness.engine.home, 'dags');
  rmSync(folder, { recursive: true });
  expect(await harness.send('POST', '/dags', { name: 'a' })).toMatchObject({ status: 201 });
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  expect(await harness.send('POST', '/dags', { name: 'a' })).toMatchObject(error(500, 'home_unusable'));
  expect(await harness.get('/dags')).toMatchObject(error(500, 'home_unusable'));
  expect(readFileSync(folder, 'utf8')).toBe('');
});

describe('text of a workflow file', () => {
  test('is returned with its hash and errors', async () => {
    const harness = await openApiHarness();
    harness.write('a', 'steps: [');
    expect(await harness.get('/dags/a/spec')).toMatchObject({
      status: 200,
      body: { fileName: 'a', spec: 'steps: [', hash: expect.any(String), errors: [expect.any(String)] },
    });
    expect(await harness.get('/dags/b/spec')).toMatchObject(error(404, 'not_found'));
    expect(await harness.get('/dags/..%2F..%2Fsecret/spec')).toMatchObject(
      error(400, 'bad_request', 'fileName'),
    );
    expect(await harness.get('/dags/gr%C3%B6%C3%9Fe/spec')).toMatchObject(
      error(400, 'bad_request', 'fileName'),
    );
  });

  test('is replaced as a whole, unless it has errors', async () => {
    const harness = await openApiHarness();
    harness.write('a', 'steps: ["true"]');
    chmodSync(harness.fileOf('a'), 0o640);
    const spec = 'steps:   ["false"] # odd spaces\n';
    expect(await harness.send('PUT', '/dags/a/spec', { spec })).toMatchObject({
      status: 200,
      body: { spec, errors: [], dag: { name: 'a' } },
    });
    expect(readFileSync(harness.fileOf('a'), 'utf8')).toBe(spec);
    expect(statSync(harness.fileOf('a')).mode & 0o777).toBe(0o640);
    expect(await harness.send('PUT', '/dags/a/spec', { spec: 'steps: [{ comand: x }]' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_spec', details: { diagnostics: [{ line: 1, column: 11 }] } },
    });
    expect(readFileSync(harness.fileOf('a'), 'utf8')).toBe(spec);
    expect(await harness.send('PUT', '/dags/b/spec', { spec })).toMatchObject(error(404, 'not_found'));
    expect(readdirSync(path.join(harness.engine.home, 'dags'))).toEqual(['a.yaml']);
  });

  test('is written with its errors when that is allowed, and cannot run', async () => {
    const harness = await openApiHarness();
    const broken = 'name: a\nschedule: "0 5 * * *"\nsteps: [{ comand: x }]\n';
    const made = await harness.send('POST', '/dags', { name: 'a', spec: broken, allowInvalid: true });
    expect(made).toMatchObject({ status: 201, body: { fileName: 'a' } });
    const unclosed = 'steps: [';
    expect(await harness.send('PUT', '/dags/a/spec', { spec: unclosed, allowInvalid: true })).toMatchObject({
      status: 200,
      body: { spec: unclosed, errors: [expect.stringContaining('a.yaml:1')] },
    });
    expect(readFileSync(harness.fileOf('a'), 'utf8')).toBe(unclosed);
    expect(await harness.get('/dags')).toMatchObject({ body: { dags: [{ fileName: 'a', valid: false }] } });
    expect(await harness.get('/dags/a/versions')).toMatchObject({
      body: { versions: [{ kind: 'saved' }, { kind: 'created' }] },
    });
    expect(await harness.send('POST', '/dags/a/start')).toMatchObject(error(400, 'invalid_spec'));
    expect(await harness.send('POST', '/dags/a/enqueue')).toMatchObject(error(400, 'invalid_spec'));
  });

  test('with errors keeps the positions of the steps', async () => {
    const harness = await openApiHarness();
    harness.write('a', 'steps: [{ name: one, command: "true" }]');
    await harness.send('PUT', '/dags/a/layout', { nodes: { one: { x: 10, y: 20 } } });
    await harness.send('PUT', '/dags/a/spec', { spec: 'steps: [', allowInvalid: true });
    expect(await harness.get('/dags/a/layout')).toMatchObject({
      body: { layout: { nodes: { one: { x: 10, y: 20 } } } },
    });
  });

  test('that has changed since it was read is not overwritten', async () => {
    const harness = await openApiHarness();
    harness.write('a', 'steps: ["true"]');
    const { hash } = (await harness.get('/dags/a/spec')).body;
    harness.write('a', 'steps: ["echo theirs"]');
    const mine = { spec: 'steps: ["echo mine"]', baseHash: hash };
    expect(await harness.send('PUT', '/dags/a/spec', mine)).toMatchObject(error(409, 'conflict'));
    expect(readFileSync(harness.fileOf('a'), 'utf8')).toContain('theirs');
    const { hash: now } = (await harness.get('/dags/a/spec')).body;
    const replaced = await harness.send('PUT', '/dags/a/spec', { ...mine, baseHash: now });
    expect(replaced).toMatchObject({ status: 200 });
    const again = { spec: 'steps: ["echo again"]', baseHash: replaced.body['hash'] };
    expect(await harness.send('PUT', '/dags/a/spec', again)).toMatchObject({ status: 200 });
    expect(await harness.send('PUT', '/dags/a/spec', { ...again, baseHash: 'x' })).toMatchObject(
      error(400, 'bad_request', 'baseHash'),
    );
  });

  test('behind a link is replaced at its target', async () => {
    const harness = await openApiHarness();
    harness.write('a', 'steps: ["true"]');
    symlinkSync(harness.fileOf('a'), harness.fileOf('link'));
    expect(await harness.send('PUT', '/dags/link/spec', { spec: 'steps: ["false"]' })).toMatchObject({
      status: 200,
    });
    expect(realpathSync(harness.fileOf('link'))).toBe(realpathSync(harness.fileOf('a')));
    expect(readFileSync(harness.fileOf('a'), 'utf8')).toBe('steps: ["false"]');
    const rename = (newFileName: string) => harness.send('POST', '/dags/link/rename', { newFileName });
    expect(await rename('a')).toMatchObject(error(409, 'already_exists'));
    expect(await rename('other')).toMatchObject({ status: 200 });
    expect(readlinkSync(harness.fileOf('other'))).toBe(harness.fileOf('a'));
    expect(existsSync(harness.fileOf('link'))).toBe(false);
  });
});

describe('POST /dags/{fileName}/rename', () => {
  test('renames the file and not its history', async () => {
    const harness = await openApiHarness();
    harness.write('old', 'steps: ["true"]');
    await harness.engine.end(
      (await harness.send('POST', '/dags/old/start', { dagRunId: 'one' })).body as never,
    );
    await harness.send('POST', '/dags/old/suspend', { suspend: true });
    expect(await harness.send('POST', '/dags/old/rename', { newFileName: 'new' })).toMatchObject({
      status: 200,
      body: { fileName: 'new', name: 'new' },
    });
    expect(await harness.get('/dag-runs/old/one')).toMatchObject({ status: 200 });
    expect(await harness.get('/dags/new/dag-runs')).toMatchObject({ body: { dagRuns: [] } });
    expect(await harness.get('/dags/new')).toMatchObject({ body: { suspended: true } });
    expect(await harness.get('/dags/old')).toMatchObject(error(404, 'not_found'));
    harness.write('old', 'steps: ["true"]');
    expect(await harness.get('/dags/old')).toMatchObject({ body: { suspended: false } });
  });

  test('rejects an invalid name, an existing one, a missing file, and an active workflow', async () => {
    const harness = await openApiHarness();
    harness.write('a', 'steps: ["sleep 1000"]');
    harness.write('b', 'steps: ["true"]');
    const rename = (name: string, newFileName: string) =>
      harness.send('POST', `/dags/${name}/rename`, { newFileName });
    for (const [, name] of badNames)
      expect(await rename('a', name)).toMatchObject(error(400, 'bad_request', 'newFileName'));
    expect(await rename('a', '..')).toMatchObject(error(400, 'bad_request', 'newFileName'));
    expect(await rename('a', 'b')).toMatchObject(error(409, 'already_exists'));
    expect(await rename('c', 'd')).toMatchObject(error(404, 'not_found'));
    expect(await rename('a', 'a')).toMatchObject({ status: 200 });
    const run = (await harness.send('POST', '/dags/a/start')).body as never;
    expect(await rename('a', 'd')).toMatchObject(error(409, 'still_running'));
    harness.engine.host.forceStop(run);
    await harness.engine.end(run);
    expect(await rename('a', 'd')).toMatchObject({ status: 200 });
    expect(readdirSync(path.join(harness.engine.home, 'dags')).toSorted()).toEqual(['b.yaml', 'd.yaml']);
  });
});

describe('DELETE /dags/{fileName}', () => {
  test('deletes the file and keeps its history', async () => {
    const harness = await openApiHarness();
    harness.write('a', 'steps: ["true"]');
    await harness.engine.end(
      (await harness.send('POST', '/dags/a/start', { dagRunId: 'one' })).body as never,
    );
    expect(await harness.send('DELETE', '/dags/a')).toMatchObject({ status: 200, body: { fileName: 'a' } });
    expect(existsSync(harness.fileOf('a'))).toBe(false);
    expect(await harness.send('DELETE', '/dags/a')).toMatchObject(error(404, 'not_found'));
    expect(await harness.get('/dag-runs/a/one')).toMatchObject({ status: 200 });
  });

  test('rejects a workflow with an active or queued run', async () => {
    const harness = await openApiHarness();
    harness.write('a', 'steps: ["true"]');
    await harness.send('POST', '/dags/a/enqueue', { dagRunId: 'one' });
    expect(await harness.send('DELETE', '/dags/a')).toMatchObject(error(409, 'still_running'));
    await harness.send('POST', '/dag-runs/a/one/dequeue');
    expect(await harness.send('DELETE', '/dags/a')).toMatchObject({ status: 200 });
  });
});

test('POST /dags/validate validates the name', async () => {
  const harness = await openApiHarness();
  const validate = (name: string) =>
    harness.send('POST', '/dags/validate', { spec: 'steps: ["true"]', name });
  expect(await validate('mine')).toMatchObject({ status: 200, body: { valid: true, dag: { name: 'mine' } } });
  for (const [, name] of badNames)
    expect(await validate(name)).toMatchObject(error(400, 'bad_request', 'name'));
});
