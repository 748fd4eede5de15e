import { expect, it } from 'vitest';
import { describeOnGateways } from './gateway-house.ts';

/** The worked example of the seed: a UUID that is presented as the base64 of its bytes. */
const shortUuids = `
CREATE DOMAIN app_uuid AS uuid;

CREATE FUNCTION app_uuid_to_json(app_uuid) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT to_json(encode(uuid_send($1), 'base64'))
$$;
CREATE CAST (app_uuid AS json) WITH FUNCTION app_uuid_to_json(app_uuid) AS IMPLICIT;

CREATE FUNCTION app_uuid_from_text(text) RETURNS app_uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(decode($1, 'base64'), 'hex')::uuid::app_uuid
$$;
CREATE CAST (text AS app_uuid) WITH FUNCTION app_uuid_from_text(text) AS IMPLICIT;

CREATE FUNCTION app_uuid_from_json(json) RETURNS app_uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT app_uuid_from_text($1 #>> '{}')
$$;
CREATE CAST (json AS app_uuid) WITH FUNCTION app_uuid_from_json(json) AS IMPLICIT;

CREATE TABLE notes (
  id app_uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  body text NOT NULL
);
INSERT INTO notes VALUES ('846c4ffd-92ce-4de7-8d11-8ca4f3913839', 'the first');
`;
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
