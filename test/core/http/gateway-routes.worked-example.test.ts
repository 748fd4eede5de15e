import { expect, it } from 'vitest';
import { listCodeBlocks, readPage } from '../../docs/read-page.ts';
import { describeOnGateways } from './gateway-harness.ts';

const [tutorial] = listCodeBlocks(readPage('docs/gateway.md')).filter(({ language }) => language === 'sql');

/** The worked example exactly as the documentation shows it: a UUID that is represented in base64. */
const shortUuids = tutorial!.text;
const first = 'hGxP/ZLOTeeNEYyk85E4OQ==';
const second = '+/+/+/+/+/+/+/+/+/+/+w==';

describeOnGateways('worked example', shortUuids, (scene) => {
  it('represents the key in base64', async () => {
    const { harness } = await scene();
    const reply = await harness.ask('/notes', { headers: { accept: 'application/json' } });
    expect([reply.status, reply.body]).toEqual([200, [{ id: first, body: 'the first' }]]);
  });

  it('finds a row by its key in base64', async () => {
    const { harness } = await scene();
    const reply = await harness.ask(`/notes?id=eq.${encodeURIComponent(first)}`);
    expect([reply.status, reply.body]).toEqual([200, [{ id: first, body: 'the first' }]]);
  });

  it('accepts a key in base64 and returns the row in its representation', async () => {
    const { harness, under } = await scene();
    const row = { id: second, body: 'the second' };
    const reply = await harness.write('POST', '/notes', row);
    expect([reply.status, reply.body]).toEqual([201, [row]]);
    const [stored] = await under.database.runScript(`SELECT id::uuid FROM notes WHERE body = 'the second'`);
    expect(stored!.rows).toEqual([['fbffbffb-ffbf-fbff-bffb-ffbffbffbffb']]);
  });

  it('changes an existing column to the domain, without rewriting rows', async () => {
    const { harness, under, script } = await scene();
    await script(
      `CREATE TABLE papers (id uuid PRIMARY KEY); INSERT INTO papers VALUES ('846c4ffd-92ce-4de7-8d11-8ca4f3913839')`,
    );
    const file = async () =>
      (await under.database.runScript(`SELECT pg_relation_filenode('papers')`))[0]!.rows;
    const before = await file();
    expect((await harness.ask('/papers')).body).toEqual([{ id: '846c4ffd-92ce-4de7-8d11-8ca4f3913839' }]);
    await script('ALTER TABLE papers ALTER COLUMN id TYPE app_uuid');
    expect(await file()).toEqual(before);
    expect((await harness.ask('/papers')).body).toEqual([{ id: first }]);
  });

  it('needs each cast only for its purpose', async () => {
    const { harness, script } = await scene();
    const native = '00010203-0405-0607-0809-0a0b0c0d0e0f';
    const shown = 'AAECAwQFBgcICQoLDA0ODw==';
    await script('DROP CAST (text AS app_uuid); DROP CAST (json AS app_uuid)');
    expect(await harness.write('POST', '/notes', { id: native, body: 'the third' })).toMatchObject({
      status: 201,
      body: [{ id: shown, body: 'the third' }],
    });
    expect((await harness.ask(`/notes?id=eq.${native}&select=id`)).body).toEqual([{ id: shown }]);
    await script('DROP CAST (app_uuid AS json)');
    expect((await harness.ask(`/notes?id=eq.${native}&select=id`)).body).toEqual([{ id: native }]);
  });

  it('needs no superuser: the owner of the domain declares its casts', async () => {
    const { harness, script } = await scene();
    const own = shortUuids.replaceAll('app_uuid', 'plain_uuid').replaceAll('notes', 'letters');
    await script(
      `CREATE ROLE plain NOLOGIN; GRANT USAGE, CREATE ON SCHEMA public TO plain; SET ROLE plain; ${own}`,
    );
    expect((await harness.ask('/letters')).body).toEqual([{ id: first, body: 'the first' }]);
  });
});
