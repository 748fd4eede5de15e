import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationInput, OperationName } from '../../../../core/contract/operations.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';

function setUp() {
  const engine = new TestEngine();
  const place = (file: string): string => path.join(engine.home, 'dags', file);
  const save = (file: string, text: string): void => {
    mkdirSync(path.dirname(place(file)), { recursive: true });
    writeFileSync(place(file), text);
  };
  const read = (file: string): string => readFileSync(place(file), 'utf8');
  const has = (file: string): boolean => existsSync(place(file));
  const call = <Name extends OperationName>(name: Name, input: OperationInput<Name>) =>
    engine.host.api.call(name, input, testCaller);
  return { engine, save, read, has, call };
}

const simple = 'steps: ["true"]\n';

describe('folders of workflow files', () => {
  test('files of nested folders are workflows with their folder', async () => {
    const { save, call, engine } = setUp();
    save('a.yaml', simple);
    save('team/etl/b.yaml', simple);
    save('.hidden/c.yaml', simple);
    const { dags } = await call('dags.list', {});
    expect(dags).toMatchObject([{ fileName: 'a' }, { fileName: 'b', folder: 'team/etl' }]);
    const run = await call('dags.start', { fileName: 'b' });
    expect(await engine.end(run)).toMatchObject({ status: 'succeeded' });
  });

  test('a file of an inner folder with a name that is taken is ignored and listed with the other', async () => {
    const { save, call } = setUp();
    save('team/a.yaml', simple);
    save('a.yaml', 'steps: ["true", "true"]\n');
    const { dags } = await call('dags.list', {});
    expect(dags).toMatchObject([{ fileName: 'a', stepCount: 2, ignoredFiles: ['team/a.yaml'] }]);
    await expect(call('dags.create', { name: 'a', folder: 'other' })).rejects.toMatchObject({
      code: 'already_exists',
    });
  });

  test('dags.move keeps the name and deletes a folder that becomes empty', async () => {
    const { save, has, call } = setUp();
    save('team/a.yaml', simple);
    await call('dags.move', { fileName: 'a', folder: 'other/etl' });
    expect([has('other/etl/a.yaml'), has('team')]).toEqual([true, false]);
    await call('dags.move', { fileName: 'a', folder: '' });
    expect([has('a.yaml'), has('other')]).toEqual([true, false]);
  });

  test('dags.move updates paths in other workflows, unless these have changed in between', async () => {
    const { save, read, call } = setUp();
    save('a.yaml', simple);
    save('team/up.yaml', 'steps:\n  - run: ../a # nightly\n  - run: a\n');
    save('same.yaml', 'steps:\n  - run: ./a.yaml\n');
    const { revision } = await call('dags.references', { fileName: 'a' });
    const move = { fileName: 'a', folder: 'team/etl', updateReferences: true, baseReferences: revision };
    save('same.yaml', 'steps:\n  - run: ./a.yaml\n  - "true"\n');
    await expect(call('dags.move', move)).rejects.toMatchObject({ code: 'conflict' });
    const { revision: now } = await call('dags.references', { fileName: 'a' });
    const moved = await call('dags.move', { ...move, baseReferences: now });
    expect(moved.references.map(({ fileName, error }) => [fileName, error])).toEqual([
      ['same', undefined],
      ['up', undefined],
    ]);
    expect(read('team/up.yaml')).toBe('steps:\n  - run: ./etl/a # nightly\n  - run: a\n');
    expect(read('same.yaml')).toContain('run: ./team/etl/a.yaml');
    await call('dags.move', { fileName: 'a', folder: '' });
    expect(read('same.yaml')).toContain('run: ./team/etl/a.yaml');
  });
});

describe('dags.rename', () => {
  test('changes the name in the file and the steps of other workflows, and keeps comments', async () => {
    const { save, read, call } = setUp();
    save('old.yaml', '# Loads\nname: old # short\nsteps: ["true"]\n');
    save('caller.yaml', 'steps:\n  - name: load\n    run: old # nightly\n  - name: other\n    run: older\n');
    save('team/by-path.yaml', 'steps: ["true"]\nhandlerOn:\n  exit:\n    run: ../old.yaml\n');
    save('local.yaml', 'steps:\n  - run: old\n---\nname: old\nsteps: ["true"]\n');
    expect((await call('dags.references', { fileName: 'old' })).references).toEqual([
      { fileName: 'by-path', name: 'by-path', steps: ['exit'], byPath: ['exit'] },
      { fileName: 'caller', name: 'caller', steps: ['load'], byPath: [] },
    ]);
    const input = { fileName: 'old', newFileName: 'new', updateName: true, updateReferences: true };
    expect(await call('dags.rename', input)).toEqual({
      fileName: 'new',
      name: 'new',
      references: [
        { fileName: 'by-path', steps: ['exit'] },
        { fileName: 'caller', steps: ['load'] },
      ],
    });
    expect(read('new.yaml')).toBe('# Loads\nname: new # short\nsteps: ["true"]\n');
    expect(read('caller.yaml')).toContain('run: new # nightly\n  - name: other\n    run: older');
    expect(read('team/by-path.yaml')).toContain('run: ../new.yaml');
    expect(read('local.yaml')).toContain('run: old');
  });

  test('keeps references by workflow name that stay valid', async () => {
    const { save, read, call } = setUp();
    save('file.yaml', 'name: load\nsteps: ["true"]\n');
    save('caller.yaml', 'steps:\n  - run: load\n');
    await call('dags.rename', { fileName: 'file', newFileName: 'other', updateReferences: true });
    expect(read('caller.yaml')).toContain('run: load\n');
  });
});

test('dags.duplicate gives the copy its own name and suspends its schedule', async () => {
  const { save, read, call } = setUp();
  save('team/a.yaml', 'name: a # mine\nschedule: "@daily"\nsteps: ["true"]\n');
  expect(await call('dags.duplicate', { fileName: 'a', newFileName: 'a-copy' })).toEqual({
    fileName: 'a-copy',
    name: 'a-copy',
    suspended: true,
  });
  expect(read('team/a-copy.yaml')).toBe('name: a-copy # mine\nschedule: "@daily"\nsteps: ["true"]\n');
  expect(await call('dags.get', { fileName: 'a' })).toMatchObject({ suspended: false });
});

describe('dags.updateFields', () => {
  test('changes tags, group and queue, and keeps comments', async () => {
    const { save, read, call } = setUp();
    save('a.yaml', '# Head\ntags: [x, y] # tags\ngroup: old\nsteps: ["true"] # one\n');
    await call('dags.updateFields', {
      fileName: 'a',
      addTags: ['z', 'X'],
      removeTags: ['y'],
      group: null,
      queue: 'etl',
    });
    expect(read('a.yaml')).toBe('# Head\ntags: [x, z] # tags\nqueue: etl\nsteps: ["true"] # one\n');
  });

  test('keeps tags in one string, and removes the field with the last tag', async () => {
    const { save, read, call } = setUp();
    save('a.yaml', 'tags: x, y\nsteps: ["true"]\n');
    await call('dags.updateFields', { fileName: 'a', addTags: ['z'] });
    expect(read('a.yaml')).toBe('tags: x, y, z\nsteps: ["true"]\n');
    await call('dags.updateFields', { fileName: 'a', removeTags: ['x', 'y', 'z'] });
    expect(read('a.yaml')).toBe('steps: ["true"]\n');
  });
});

describe('dags.delete', () => {
  test('dags.restore brings back text, folder, extension, draft and schedule state', async () => {
    const { save, read, has, call } = setUp();
    const text = 'schedule: "@daily"\nsteps: ["true"]\n';
    save('team/a.yml', text);
    await call('dags.suspend', { fileName: 'a', suspend: true });
    await call('drafts.put', { fileName: 'a', spec: 'steps: [unsaved]\n', revision: 0 });
    await call('dags.delete', { fileName: 'a' });
    expect(has('team')).toBe(false);
    expect(await call('dags.restore', { fileName: 'a' })).toEqual({
      fileName: 'a',
      name: 'a',
      folder: 'team',
    });
    expect(read('team/a.yml')).toBe(text);
    expect(await call('dags.get', { fileName: 'a' })).toMatchObject({ suspended: true });
    expect(await call('drafts.get', { fileName: 'a' })).toMatchObject({
      draft: { spec: 'steps: [unsaved]\n' },
    });
    await expect(call('dags.restore', { fileName: 'a' })).rejects.toMatchObject({ code: 'already_exists' });
  });

  test('rejects a file that has changed since the caller has seen it', async () => {
    const { save, has, call } = setUp();
    save('a.yaml', simple);
    const { hash: baseHash } = await call('dags.get', { fileName: 'a' });
    save('a.yaml', 'steps: ["false"]\n');
    await expect(call('dags.delete', { fileName: 'a', baseHash })).rejects.toMatchObject({
      code: 'conflict',
    });
    const rename = { fileName: 'a', newFileName: 'b', baseHash };
    await expect(call('dags.rename', rename)).rejects.toMatchObject({ code: 'conflict' });
    expect(has('a.yaml')).toBe(true);
  });

  test('fails while a run is active, or stops it; runs.deleteAll deletes the history', async () => {
    const { engine, save, call } = setUp();
    save('a.yaml', 'steps: ["sleep 60"]\n');
    const run = await call('dags.start', { fileName: 'a' });
    await expect(call('dags.delete', { fileName: 'a' })).rejects.toMatchObject({ code: 'still_running' });
    expect(await call('dags.delete', { fileName: 'a', stopRuns: true })).toMatchObject({ stopped: 1 });
    expect(await engine.end(run)).toMatchObject({ status: 'aborted' });
    expect(await call('runs.deleteAll', { name: 'a' })).toEqual({ removed: 1, errors: [] });
    await expect(call('runs.get', run)).rejects.toMatchObject({ code: 'not_found' });
  });
});
