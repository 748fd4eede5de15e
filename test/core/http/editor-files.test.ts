import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { until } from '../../rig/until.ts';
import { testCaller } from '../../rig/test-engine.ts';
import { type ApiHouse, openApiHouse } from './api-house.ts';

const one = 'steps:\n  - name: a\n    command: echo a\n';
const two = one.replaceAll('echo a', 'echo b');

const save = async (house: ApiHouse, spec: string, more: object = {}) =>
  (await house.send('PUT', '/dags/etl/spec', { spec, ...more })).status;

interface Version {
  id: number;
  kind: string;
}

const versionsOf = async (house: ApiHouse, fileName = 'etl'): Promise<Version[]> =>
  (await house.get(`/dags/${fileName}/versions`)).body['versions'] as Version[];

const kindsOf = async (house: ApiHouse, fileName = 'etl'): Promise<string[]> =>
  (await versionsOf(house, fileName)).map(({ kind }) => kind);

const textOf = async (house: ApiHouse, id: number, fileName = 'etl') =>
  (await house.get(`/dags/${fileName}/versions/${id}`)).body['spec'];

describe('drafts', () => {
  const put = (house: ApiHouse, spec: string, revision: number) =>
    house.send('PUT', '/dags/etl/draft', { spec, revision });

  test('are kept beside the file until they are saved', async () => {
    const house = await openApiHouse();
    house.write('etl', one);
    expect(await house.get('/dags/etl/draft')).toMatchObject({ status: 200, body: {} });
    const { body } = await put(house, 'steps: [', 0);
    const { revision } = body as { revision: number };
    expect((await house.get('/dags/etl/draft')).body).toEqual({
      draft: { spec: 'steps: [', revision, at: expect.any(String), by: expect.any(String) },
    });
    expect(await put(house, 'other', 0)).toMatchObject({
      status: 409,
      body: { code: 'conflict', details: { revision } },
    });
    expect((await house.get('/dags/etl/spec')).body).toMatchObject({ spec: one });
    // Another text is no save of this draft, unless its writer says so.
    await save(house, two);
    expect((await house.get('/dags/etl/draft')).body).toMatchObject({ draft: { revision } });
    await save(house, one, { draftRevision: revision - 1 });
    expect((await house.get('/dags/etl/draft')).body).toMatchObject({ draft: { revision } });
    await save(house, two, { draftRevision: revision });
    expect((await house.get('/dags/etl/draft')).body).toEqual({});
    await put(house, one, 0);
    await save(house, one);
    expect((await house.get('/dags/etl/draft')).body).toEqual({});
  });

  test('follow the file to its new name, and are listed when it has gone', async () => {
    const house = await openApiHouse();
    house.write('etl', one);
    await put(house, two, 0);
    await house.send('PUT', '/dags/etl/layout', { nodes: { a: { x: 1, y: 2 } } });
    await house.send('POST', '/dags/etl/rename', { newFileName: 'load' });
    expect((await house.get('/dags/load/draft')).body).toMatchObject({ draft: { spec: two } });
    expect((await house.get('/dags/load/layout')).body).toEqual({ layout: { nodes: { a: { x: 1, y: 2 } } } });
    rmSync(house.fileOf('load'));
    await house.send('PUT', '/drafts/first', { spec: 'new', name: 'later', revision: 0 });
    expect((await house.get('/drafts')).body).toMatchObject({
      drafts: [
        { fileName: 'load', fileExists: false, bytes: two.length },
        { draftId: 'first', fileExists: false, name: 'later' },
      ],
    });
    const { body } = await house.get('/dags/load/draft');
    const { revision } = (body as { draft: { revision: number } }).draft;
    expect(await house.send('PUT', '/dags/load/draft', { spec: 'more', revision })).toMatchObject({
      status: 200,
    });
    expect((await house.send('DELETE', '/dags/load/draft')).body).toEqual({ removed: true });
    expect(await house.send('PUT', '/dags/load/draft', { spec: 'more', revision: 0 })).toMatchObject({
      body: { code: 'not_found' },
    });
  });

  test('of a new workflow go when its file is made', async () => {
    const house = await openApiHouse();
    const made = await house.send('PUT', '/drafts/d-1', { spec: 'half', revision: 0 });
    const { revision } = made.body as { revision: number };
    expect((await house.get('/drafts/d-1')).body).toMatchObject({ draft: { spec: 'half' } });
    expect(await house.send('DELETE', `/drafts/d-1?revision=${revision + 1}`)).toMatchObject({ status: 409 });
    await house.send('POST', '/dags', { name: 'etl', spec: one, draftId: 'd-1', draftRevision: revision });
    expect((await house.get('/drafts')).body).toEqual({ drafts: [] });
    expect((await house.send('DELETE', '/drafts/d-1')).body).toEqual({ removed: false });
  });
});

describe('layouts', () => {
  test('are checked, kept beside the file and forget steps that are saved away', async () => {
    const house = await openApiHouse();
    house.write('etl', one);
    const place = { x: 10.5, y: -3 };
    const layout = { direction: 'down', nodes: { a: place, gone: place }, collapsed: ['group'] };
    expect(await house.send('PUT', '/dags/etl/layout', layout)).toMatchObject({ status: 200, body: layout });
    expect((await house.get('/dags/etl/layout')).body).toEqual({ layout });
    expect((await house.get('/dags/etl/layout?document=child')).body).toEqual({});
    expect((await house.get('/dags/etl/spec')).body).toMatchObject({ spec: one });
    await save(house, two);
    expect((await house.get('/dags/etl/layout')).body).toEqual({
      layout: { ...layout, nodes: { a: place } },
    });
    for (const wrong of [{ nodes: { a: { x: '1', y: 2 } } }, { nodes: { a: { x: 1e9, y: 2 } } }, {}])
      expect(await house.send('PUT', '/dags/etl/layout', wrong)).toMatchObject({ status: 400 });
    expect(await house.send('PUT', '/dags/none/layout', { nodes: {} })).toMatchObject({ status: 404 });
  });

  test('come back with a deleted workflow, and not with another one of its name', async () => {
    const house = await openApiHouse();
    house.write('etl', one);
    const layout = { nodes: { a: { x: 1, y: 1 } } };
    await house.send('PUT', '/dags/etl/layout', layout);
    await house.send('DELETE', '/dags/etl');
    const [deleted] = await versionsOf(house);
    await house.send('POST', '/dags', { name: 'etl', spec: one, restoredFrom: deleted!.id });
    expect((await house.get('/dags/etl/layout')).body).toEqual({ layout });
    await house.send('DELETE', '/dags/etl');
    await house.send('POST', '/dags', { name: 'etl', spec: one });
    expect((await house.get('/dags/etl/layout')).body).toEqual({});
  });
});

describe('versions', () => {
  test('are kept of what is saved here and of what others write', async () => {
    const house = await openApiHouse();
    await house.send('POST', '/dags', { name: 'etl', spec: one });
    await save(house, two);
    await save(house, two);
    house.write('etl', '# by another program\n');
    // Not seen by anybody yet, and not lost.
    await save(house, one);
    house.write('etl', `${one}# seen\n`);
    await house.get('/dags/etl/spec');
    const versions = await versionsOf(house);
    expect(versions.map(({ kind }) => kind)).toEqual(['found', 'saved', 'found', 'saved', 'created']);
    expect(await textOf(house, versions[2]!.id)).toBe('# by another program\n');
    await save(house, two, { restoredFrom: versions[3]!.id });
    expect((await versionsOf(house))[0]).toMatchObject({
      kind: 'restored',
      restoredFrom: versions[3]!.id,
      bytes: two.length,
      by: expect.any(String),
    });
    const first = await house.get('/dags/etl/versions?limit=4');
    expect(first.body['versions']).toHaveLength(4);
    const rest = await house.get(`/dags/etl/versions?limit=4&cursor=${String(first.body['nextCursor'])}`);
    expect(rest.body).toMatchObject({ versions: [{ kind: 'saved' }, { kind: 'created' }] });
    expect(rest.body['nextCursor']).toBeUndefined();
  });

  test('of a file that nobody has saved here begin with its text', async () => {
    const house = await openApiHouse();
    house.write('etl', one);
    expect(await kindsOf(house)).toEqual(['found']);
    expect(await house.get('/dags/none/versions')).toMatchObject({ status: 404 });
    const [{ id }] = (await versionsOf(house)) as [Version];
    expect(await house.get(`/dags/none/versions/${id}`)).toMatchObject({ status: 404 });
    expect(await house.get(`/dags/etl/versions/${id + 1}`)).toMatchObject({ status: 404 });
    expect(await save(house, two, { restoredFrom: id + 1 })).toBe(404);
  });

  test('go along with a rename', async () => {
    const house = await openApiHouse();
    await house.send('POST', '/dags', { name: 'etl', spec: one });
    await house.send('POST', '/dags/etl/rename', { newFileName: 'load' });
    expect(await versionsOf(house, 'load')).toMatchObject([
      { kind: 'renamed', renamedFrom: 'etl' },
      { kind: 'created' },
    ]);
    expect((await house.get('/deleted-dags')).body).toEqual({ dags: [] });
  });

  test('bring a deleted workflow back, with what was not saved of it', async () => {
    const house = await openApiHouse();
    house.write('etl', one);
    house.write('lost', one);
    await house.get('/dags/lost/spec');
    rmSync(house.fileOf('lost'));
    await house.send('PUT', '/dags/etl/draft', { spec: 'unsaved', revision: 0 });
    await house.send('DELETE', '/dags/etl');
    expect((await house.get('/dags/etl/draft')).body).toEqual({});
    expect((await house.get('/deleted-dags')).body).toMatchObject({
      dags: [
        { fileName: 'etl', version: { kind: 'deleted', by: expect.any(String) } },
        { fileName: 'lost', version: { kind: 'found' } },
      ],
    });
    const page = await house.get('/deleted-dags?limit=1');
    const next = await house.get(`/deleted-dags?limit=1&cursor=${String(page.body['nextCursor'])}`);
    expect(next.body).toEqual({ dags: [expect.objectContaining({ fileName: 'lost' })] });
    const versions = await versionsOf(house);
    expect(versions.map(({ kind }) => kind)).toEqual(['deleted', 'unsaved', 'found']);
    expect([await textOf(house, versions[1]!.id), await textOf(house, versions[0]!.id)]).toEqual([
      'unsaved',
      one,
    ]);
    await house.send('POST', '/dags', { name: 'etl', spec: one, restoredFrom: versions[0]!.id });
    expect((await versionsOf(house))[0]).toMatchObject({ kind: 'restored', restoredFrom: versions[0]!.id });
    expect((await house.get('/deleted-dags')).body).toMatchObject({ dags: [{ fileName: 'lost' }] });
  });
});

describe('GET /dag-changes', () => {
  test('tells of our own changes at once and of others when they are noticed', async () => {
    const house = await openApiHouse();
    house.write('etl', one);
    const told: unknown[] = [];
    const of = (fileName?: string) => {
      const items: unknown[] = fileName === undefined ? told : [];
      const observer = { item: (item: unknown) => items.push(item), end: () => {} };
      onTestFinished(house.engine.host.api.follow('dags.changes', { fileName }, observer, testCaller));
      return items;
    };
    of();
    const ofLoad = of('load');
    await save(house, two);
    await house.send('POST', '/dags/etl/rename', { newFileName: 'load' });
    await house.send('POST', '/dags', { name: 'other', spec: one });
    await house.send('DELETE', '/dags/other');
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(told).toEqual([
      { fileName: 'etl', kind: 'changed', hash },
      { fileName: 'load', kind: 'renamed', hash, from: 'etl' },
      { fileName: 'other', kind: 'created', hash },
      { fileName: 'other', kind: 'removed' },
    ]);
    expect(ofLoad).toEqual([told[1]]);
    told.length = 0;
    writeFileSync(path.join(house.engine.home, 'dags', 'foreign.yml'), one);
    await until(() => {
      house.engine.clock.advance(10_000);
      return told.length > 0;
    });
    expect(told).toEqual([{ fileName: 'foreign', kind: 'created', hash }]);
  });
});
