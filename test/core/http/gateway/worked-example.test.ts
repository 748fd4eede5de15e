import { expect, it } from 'vitest';
import { listCodeBlocks, readPage } from '../../../docs/read-page.ts';
import { describeOnGateways } from './gateway-house.ts';

const [tutorial] = listCodeBlocks(readPage('docs/gateway.md')).filter(({ language }) => language === 'sql');

/** The worked example of the seed, word for word as the documentation shows it: a UUID that is presented in base64. */
const shortUuids = tutorial!.text;
const first = 'hGxP/ZLOTeeNEYyk85E4OQ==';
const second = '+/+/+/+/+/+/+/+/+/+/+w==';

describeOnGateways('the worked example', shortUuids, (scene) => {
  it('presents the key in base64', async () => {
    const { house } = await scene();
    const reply = await house.ask('/notes', { headers: { accept: 'application/json' } });
    expect([reply.status, reply.body]).toEqual([200, [{ id: first, body: 'the first' }]]);
  });

  it('finds a row by its key in base64', async () => {
    const { house } = await scene();
    const reply = await house.ask(`/notes?id=eq.${encodeURIComponent(first)}`);
    expect([reply.status, reply.body]).toEqual([200, [{ id: first, body: 'the first' }]]);
  });

  it('takes a key in base64 and gives the row back as it presents it', async () => {
    const { house, under } = await scene();
    const row = { id: second, body: 'the second' };
    const reply = await house.write('POST', '/notes', row);
    expect([reply.status, reply.body]).toEqual([201, [row]]);
    const [stored] = await under.database.runScript(`SELECT id::uuid FROM notes WHERE body = 'the second'`);
    expect(stored!.rows).toEqual([['fbffbffb-ffbf-fbff-bffb-ffbffbffbffb']]);
  });
});
