import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { until } from '../../../harness/resources.ts';
import { testCaller } from '../../../harness/engine.ts';
import { type ApiHarness, openApiHarness } from '../../../harness/server.ts';

const one = 'steps:\n  - name: a\n    command: echo a\n';
const two = one.replaceAll('echo a', 'echo b');

const save = async (harness: ApiHarness, spec: string, more: object = {}) =>
  (await harness.send('PUT', '/dags/etl/spec', { spec, ...more })).status;

interface Version {
  id: number;
  kind: string;
}

const versionsOf = async (harness: ApiHarness, fileName = 'etl'): Promise<Version[]> =>
  (await harness.get(`/dags/${fileName}/versions`)).body['versions'] as Version[];

const kindsByActions = async (harness: ApiHarness, fileName = 'etl'): Promise<string[]> =>
  (await versionsOf(harness, fileName)).map(({ kind }) => kind);

const textOf = async (harness: ApiHarness, id: number, fileName = 'etl') =>
  (await harness.get(`/dags/${fileName}/versions/${id}`)).body['spec'];

describe('drafts', () => {
  const put = (harness: ApiHarness, spec: string, revision: number) =>
    harness.send('PUT', '/dags/etl/draft', { spec, revision });

  test('are stored next to the file until they are saved', async () => {
    const harness = await openApiHarness();
    harness.write('etl', one);
    expect(await harness.get('/dags/etl/draft')).toMatchObject({ status: 200, body: {} });
    const { body } = await put(harness, 'steps: [', 0);
    const { revision } = body as { revision: number };
    expect((await harness.get('/dags/etl/draft')).body).toEqual({
      draft: { spec: 'steps: [', revision, at: expect.any(String), by: expect.any(String) },
    });
    expect(await put(harness, 'other', 0)).toMatchObject({
      status: 409,
      body: { code: 'conflict', details: { revision } },
    });
    expect((await harness.get('/dags/etl/spec')).body).toMatchObject({ spec: one });
    // Saving other text does not save this draft, unless its author says so.
    await save(harness, two);
    expect((await harness.get('/dags/etl/draft')).body).toMatchObject({ draft: { revision } });
    await save(harness, one, { draftRevision: revision - 1 });
    expect((await harness.get('/dags/etl/draft')).body).toMatchObject({ draft: { revision } });
    await save(harness, two, { draftRevision: revision });
    expect((await harness.get('/dags/etl/draft')).body).toEqual({});
    await put(harness, one, 0);
    await save(harness, one);
    expect((await harness.get('/dags/etl/draft')).body).toEqual({});
  });

  test('follow a renamed file, and are listed after it was deleted', async () => {
    const harness = await openApiHarness();
    harness.write('etl', one);
    await put(harness, two, 0);
    await harness.send('PUT', '/dags/etl/layout', { nodes: { a: { x: 1, y: 2 } } });
    await harness.send('POST', '/dags/etl/rename', { newFileName: 'load' });
    expect((await harness.get('/dags/load/draft')).body).toMatchObject({ draft: { spec: two } });
    expect((await harness.get('/dags/load/layout')).body).toEqual({
      layout: { nodes: { a: { x: 1, y: 2 } } },
    });
    rmSync(harness.fileOf('load'));
    await harness.send('PUT', '/drafts/first', { spec: 'new', name: 'later', revision: 0 });
    expect((await harness.get('/drafts')).body).toMatchObject({
      drafts: [
        { fileName: 'load', fileExists: false, bytes: two.length },
        { draftId: 'first', fileExists: false, name: 'later' },
      ],
    });
    const { body } = await harness.get('/dags/load/draft');
    const { revision } = (body as { draft: { revision: number } }).draft;
    expect(await harness.send('PUT', '/dags/load/draft', { spec: 'more', revision })).toMatchObject({
      status: 200,
    });
    expect((await harness.send('DELETE', '/dags/load/draft')).body).toEqual({ removed: true });
    expect(await harness.send('PUT', '/dags/load/draft', { spec: 'more', revision: 0 })).toMatchObject({
      body: { code: 'not_found' },
    });
  });

  test('of a new workflow are deleted when its file is created', async () => {
    const harness = await openApiHarness();
    const made = await harness.send('PUT', '/drafts/d-1', { spec: 'half', revision: 0 });
    const { revision } = made.body as { revision: number };
    expect((await harness.get('/drafts/d-1')).body).toMatchObject({ draft: { spec: 'half' } });
    expect(await harness.send('DELETE', `/drafts/d-1?revision=${revision + 1}`)).toMatchObject({
      status: 409,
    });
    await harness.send('POST', '/dags', { name: 'etl', spec: one, draftId: 'd-1', draftRevision: revision });
    expect((await harness.get('/drafts')).body).toEqual({ drafts: [] });
    expect((await harness.send('DELETE', '/drafts/d-1')).body).toEqual({ removed: false });
  });
});

describe('layouts', () => {
  test('are validated, stored next to the file and drop removed steps on save', async () => {
    const harness = await openApiHarness();
    harness.write('etl', one);
    const place = { x: 10.5, y: -3 };
    const layout = { direction: 'down', nodes: { a: place, gone: place }, collapsed: ['group'] };
    expect(await harness.send('PUT', '/dags/etl/layout', layout)).toMatchObject({
      status: 200,
      body: layout,
    });
    expect((await harness.get('/dags/etl/layout')).body).toEqual({ layout });
    expect((await harness.get('/dags/etl/layout?document=child')).body).toEqual({});
    expect((await harness.get('/dags/etl/spec')).body).toMatchObject({ spec: one });
    await save(harness, two);
    expect((await harness.get('/dags/etl/layout')).body).toEqual({
      layout: { ...layout, nodes: { a: place } },
    });
    for (const wrong of [{ nodes: { a: { x: '1', y: 2 } } }, { nodes: { a: { x: 1e9, y: 2 } } }, {}])
      expect(await harness.send('PUT', '/dags/etl/layout', wrong)).toMatchObject({ status: 400 });
    expect(await harness.send('PUT', '/dags/none/layout', { nodes: {} })).toMatchObject({ status: 404 });
  });

  test('are restored with a deleted workflow, and not for another one of its name', async () => {
    const harness = await openApiHarness();
    harness.write('etl', one);
    const layout = { nodes: { a: { x: 1, y: 1 } } };
    await harness.send('PUT', '/dags/etl/layout', layout);
    await harness.send('DELETE', '/dags/etl');
    const [deleted] = await versionsOf(harness);
    await harness.send('POST', '/dags', { name: 'etl', spec: one, restoredFrom: deleted!.id });
    expect((await harness.get('/dags/etl/layout')).body).toEqual({ layout });
    await harness.send('DELETE', '/dags/etl');
    await harness.send('POST', '/dags', { name: 'etl', spec: one });
    expect((await harness.get('/dags/etl/layout')).body).toEqual({});
  });
});

describe('versions', () => {
  test('are stored of our own saves and of external changes', async () => {
    const harness = await openApiHarness();
    await harness.send('POST', '/dags', { name: 'etl', spec: one });
    await save(harness, two);
    await save(harness, two);
    harness.write('etl', '# by another program\n');
    // Not noticed yet, and not lost.
    await save(harness, one);
    harness.write('etl', `${one}# seen\n`);
    await harness.get('/dags/etl/spec');
    const versions = await versionsOf(harness);
    expect(versions.map(({ kind }) => kind)).toEqual(['found', 'saved', 'found', 'saved', 'created']);
    expect(await textOf(harness, versions[2]!.id)).toBe('# by another program\n');
    await save(harness, two, { restoredFrom: versions[3]!.id });
    expect((await versionsOf(harness))[0]).toMatchObject({
      kind: 'restored',
      restoredFrom: versions[3]!.id,
      bytes: two.length,
      by: expect.any(String),
    });
    const first = await harness.get('/dags/etl/versions?limit=4');
    expect(first.body['versions']).toHaveLength(4);
    const rest = await harness.get(`/dags/etl/versions?limit=4&cursor=${String(first.body['nextCursor'])}`);
    expect(rest.body).toMatchObject({ versions: [{ kind: 'saved' }, { kind: 'created' }] });
    expect(rest.body['nextCursor']).toBeUndefined();
  });

  test('of a file that was never saved here start with its text', async () => {
    const harness = await openApiHarness();
    harness.write('etl', one);
    expect(await kindsByActions(harness)).toEqual(['found']);
    expect(await harness.get('/dags/none/versions')).toMatchObject({ status: 404 });
    const [{ id }] = (await versionsOf(harness)) as [Version];
    expect(await harness.get(`/dags/none/versions/${id}`)).toMatchObject({ status: 404 });
    expect(await harness.get(`/dags/etl/versions/${id + 1}`)).toMatchObject({ status: 404 });
    expect(await save(harness, two, { restoredFrom: id + 1 })).toBe(404);
  });

  test('follow a rename', async () => {
    const harness = await openApiHarness();
    await harness.send('POST', '/dags', { name: 'etl', spec: one });
    await harness.send('POST', '/dags/etl/rename', { newFileName: 'load' });
    expect(await versionsOf(harness, 'load')).toMatchObject([
      { kind: 'renamed', renamedFrom: 'etl' },
      { kind: 'created' },
    ]);
    expect((await harness.get('/deleted-dags')).body).toEqual({ dags: [] });
  });

  test('restore a deleted workflow, including unsaved changes', async () => {
    const harness = await openApiHarness();
    harness.write('etl', one);
    harness.write('lost', one);
    await harness.get('/dags/lost/spec');
    rmSync(harness.fileOf('lost'));
    await harness.send('PUT', '/dags/etl/draft', { spec: 'unsaved', revision: 0 });
    await harness.send('DELETE', '/dags/etl');
    expect((await harness.get('/dags/etl/draft')).body).toEqual({});
    expect((await harness.get('/deleted-dags')).body).toMatchObject({
      dags: [
        { fileName: 'etl', version: { kind: 'deleted', by: expect.any(String) } },
        { fileName: 'lost', version: { kind: 'found' } },
      ],
    });
    const page = await harness.get('/deleted-dags?limit=1');
    const next = await harness.get(`/deleted-dags?limit=1&cursor=${String(page.body['nextCursor'])}`);
    expect(next.body).toEqual({ dags: [expect.objectContaining({ fileName: 'lost' })] });
    const versions = await versionsOf(harness);
    expect(versions.map(({ kind }) => kind)).toEqual(['deleted', 'unsaved', 'found']);
    expect([await textOf(harness, versions[1]!.id), await textOf(harness, versions[0]!.id)]).toEqual([
      'unsaved',
      one,
    ]);
    await harness.send('POST', '/dags', { name: 'etl', spec: one, restoredFrom: versions[0]!.id });
    expect((await versionsOf(harness))[0]).toMatchObject({ kind: 'restored', restoredFrom: versions[0]!.id });
    expect((await harness.get('/deleted-dags')).body).toMatchObject({ dags: [{ fileName: 'lost' }] });
  });
});

describe('GET /dag-changes', () => {
  test('reports our own changes at once and others when they are noticed', async () => {
    const harness = await openApiHarness();
    harness.write('etl', one);
    const told: unknown[] = [];
    const of = (fileName?: string) => {
      const items: unknown[] = fileName === undefined ? told : [];
      const observer = { item: (item: unknown) => items.push(item), end: () => {} };
      onTestFinished(harness.engine.host.api.follow('dags.changes', { fileName }, observer, testCaller));
      return items;
    };
    of();
    const ofLoad = of('load');
    await save(harness, two);
    await harness.send('POST', '/dags/etl/rename', { newFileName: 'load' });
    await harness.send('POST', '/dags', { name: 'other', spec: one });
    await harness.send('DELETE', '/dags/other');
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(told).toEqual([
      { fileName: 'etl', kind: 'changed', hash },
      { fileName: 'load', kind: 'renamed', hash, from: 'etl' },
      { fileName: 'other', kind: 'created', hash },
      { fileName: 'other', kind: 'removed' },
    ]);
    expect(ofLoad).toEqual([told[1]]);
    told.length = 0;
    writeFileSync(path.join(harness.engine.home, 'dags', 'foreign.yml'), one);
    await until(() => {
      harness.engine.clock.advance(10_000);
      return told.length > 0;
    });
    expect(told).toEqual([{ fileName: 'foreign', kind: 'created', hash }]);
  });
});
