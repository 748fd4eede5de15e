import { beforeEach, describe, expect, it } from 'vitest';
import { describeOnGateways } from './gateway-harness.ts';

/**
 * Colors are numbers shown as `#RRGGBB`, timestamps are shown in seconds since 1970, and codes have no filter cast.
 * `shade` has only a response cast, and `label` none at all.
 */
const schema = `
CREATE SCHEMA reps;
CREATE DOMAIN reps.color AS integer CHECK (VALUE BETWEEN 0 AND 16777215);
CREATE FUNCTION reps.color_to_json(reps.color) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN $1 IS NULL THEN to_json(''::text) ELSE to_json('#' || lpad(upper(to_hex($1)), 6, '0')) END
$$;
CREATE FUNCTION reps.color_from_text(text) RETURNS reps.color LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF $1 !~ '^#[0-9A-Fa-f]{6}$' THEN RAISE EXCEPTION '% is no color', $1 USING ERRCODE = '22P02'; END IF;
  RETURN ('x' || lpad(substr($1, 2), 8, '0'))::bit(32)::int;
END $$;
CREATE FUNCTION reps.color_from_json(json) RETURNS reps.color LANGUAGE sql IMMUTABLE AS $$
  SELECT reps.color_from_text($1 #>> '{}')
$$;
CREATE CAST (reps.color AS json) WITH FUNCTION reps.color_to_json(reps.color) AS IMPLICIT;
CREATE CAST (text AS reps.color) WITH FUNCTION reps.color_from_text(text) AS IMPLICIT;
CREATE CAST (json AS reps.color) WITH FUNCTION reps.color_from_json(json) AS IMPLICIT;

CREATE DOMAIN reps.moment AS timestamptz;
CREATE FUNCTION reps.moment_to_json(reps.moment) RETURNS json LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT to_json(extract(epoch FROM $1::timestamptz)::bigint)
$$;
CREATE FUNCTION reps.moment_from_json(json) RETURNS reps.moment LANGUAGE sql IMMUTABLE AS $$
  SELECT to_timestamp(($1 #>> '{}')::bigint)::reps.moment
$$;
CREATE FUNCTION reps.moment_from_text(text) RETURNS reps.moment LANGUAGE sql IMMUTABLE AS $$
  SELECT to_timestamp($1::bigint)::reps.moment
$$;
CREATE CAST (reps.moment AS json) WITH FUNCTION reps.moment_to_json(reps.moment) AS IMPLICIT;
CREATE CAST (json AS reps.moment) WITH FUNCTION reps.moment_from_json(json) AS IMPLICIT;
CREATE CAST (text AS reps.moment) WITH FUNCTION reps.moment_from_text(text) AS IMPLICIT;

CREATE DOMAIN reps.shade AS integer;
CREATE FUNCTION reps.shade_to_json(reps.shade) RETURNS json LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT to_json($1 || '%')
$$;
CREATE CAST (reps.shade AS json) WITH FUNCTION reps.shade_to_json(reps.shade) AS IMPLICIT;

CREATE TABLE paints (
  color reps.color PRIMARY KEY,
  name text NOT NULL,
  mixed_at reps.moment DEFAULT '1970-01-02T00:00:00Z',
  shade reps.shade
);
CREATE TABLE rooms (id int PRIMARY KEY, name text, wall reps.color REFERENCES paints, floor reps.color REFERENCES paints);
CREATE TABLE artists (id int PRIMARY KEY, name text);
CREATE TABLE uses (artist int REFERENCES artists, paint reps.color REFERENCES paints, PRIMARY KEY (artist, paint));
CREATE VIEW bright_paints AS SELECT color, name FROM paints WHERE color > 255;
CREATE FUNCTION all_paints() RETURNS SETOF paints LANGUAGE sql STABLE AS 'SELECT * FROM paints';
`;

const rows = `
TRUNCATE paints, rooms, artists, uses;
INSERT INTO paints VALUES
  (0, 'black', '1970-01-01T00:01:00Z', 100), (255, 'blue', '1970-01-01T00:02:00Z', 50), (16711680, 'red', NULL, NULL);
INSERT INTO rooms VALUES (1, 'hall', 255, 0), (2, 'attic', NULL, 0);
INSERT INTO artists VALUES (1, 'Ada'), (2, 'Bo');
INSERT INTO uses VALUES (1, 0), (1, 16711680), (2, 0);
`;

describeOnGateways('domain representations', schema, (scene) => {
  beforeEach(async () => {
    const { under } = await scene();
    await under.database.runScript(rows);
  });
  const read = async (path: string): Promise<unknown> => {
    const { harness } = await scene();
    const { status, body, text } = await harness.ask(path);
    return status === 200 ? body : `${status} ${text}`;
  };
  const stored = async (sql: string): Promise<unknown> => {
    const { under } = await scene();
    return (await under.database.runScript(sql))[0]!.rows;
  };

  describe('responses', () => {
    it('show all columns in their formats', async () => {
      expect(await read('/paints?order=color')).toEqual([
        { color: '#000000', name: 'black', mixed_at: 60, shade: '100%' },
        { color: '#0000FF', name: 'blue', mixed_at: 120, shade: '50%' },
        { color: '#FF0000', name: 'red', mixed_at: null, shade: null },
      ]);
    });

    it('show selected columns under their aliases, and casts without the format', async () => {
      expect(await read('/paints?select=paint:color,text:color::text,name&color=eq.%230000ff')).toEqual([
        { paint: '#0000FF', text: '"#0000FF"', name: 'blue' },
      ]);
    });

    it('call the function for null, unless it is strict', async () => {
      expect(await read('/rooms?select=wall&id=eq.2')).toEqual([{ wall: '' }]);
      expect(await read('/paints?select=mixed_at&name=eq.red')).toEqual([{ mixed_at: null }]);
    });

    it('show columns of views like those of tables', async () => {
      expect(await read('/bright_paints')).toEqual([{ color: '#FF0000', name: 'red' }]);
    });

    it('are in the order of stored values', async () => {
      expect(await read('/paints?select=name&order=shade.desc.nullslast')).toEqual([
        { name: 'black' },
        { name: 'blue' },
        { name: 'red' },
      ]);
    });

    it('show CSV cells in their formats', async () => {
      const { harness } = await scene();
      const { text } = await harness.ask('/paints?select=name,color,mixed_at&order=color&limit=2', {
        headers: { accept: 'text/csv' },
      });
      expect(text).toMatch(/^name,color,mixed_at\nblack,.*#000000.*,60\nblue,.*#0000FF.*,120\n?$/);
    });

    it('show rows of functions that return those of a table', async () => {
      expect(await read('/rpc/all_paints?select=color&color=eq.%23FF0000')).toEqual([{ color: '#FF0000' }]);
    });
  });

  describe('embedded rows', () => {
    it('are shown in their formats: to one', async () => {
      const path = '/rooms?select=name,wall:paints!rooms_wall_fkey(color,name)&order=id';
      expect(await read(path)).toEqual([
        { name: 'hall', wall: { color: '#0000FF', name: 'blue' } },
        { name: 'attic', wall: null },
      ]);
    });

    it('are shown in their formats: to one by its column', async () => {
      expect(await read('/rooms?select=name,wall(color)&id=eq.1')).toEqual([
        { name: 'hall', wall: { color: '#0000FF' } },
      ]);
    });

    it('are shown in their formats: to many', async () => {
      expect(
        await read(
          '/paints?select=color,rooms!rooms_floor_fkey(name,wall)&color=eq.%23000000&rooms.order=id',
        ),
      ).toEqual([
        {
          color: '#000000',
          rooms: [
            { name: 'hall', wall: '#0000FF' },
            { name: 'attic', wall: '' },
          ],
        },
      ]);
    });

    it('are shown in their formats: many to many, and spread', async () => {
      expect(await read('/artists?select=name,paints(color)&order=id&paints.order=color')).toEqual([
        { name: 'Ada', paints: [{ color: '#000000' }, { color: '#FF0000' }] },
        { name: 'Bo', paints: [{ color: '#000000' }] },
      ]);
      expect(await read('/rooms?select=name,...paints!rooms_wall_fkey(wall_color:color)&id=eq.1')).toEqual([
        { name: 'hall', wall_color: '#0000FF' },
      ]);
    });

    it('are filtered in their formats', async () => {
      expect(await read('/artists?select=name,paints!inner(color)&paints.color=eq.%23ff0000')).toEqual([
        { name: 'Ada', paints: [{ color: '#FF0000' }] },
      ]);
    });
  });

  describe('filters', () => {
    it.each([
      ['color=eq.%230000FF', ['blue']],
      ['color=not.eq.%230000FF', ['black', 'red']],
      ['color=neq.%230000FF', ['black', 'red']],
      ['color=gt.%230000FE', ['blue', 'red']],
      ['color=lte.%230000FF', ['black', 'blue']],
      ['color=in.(%23000000,"%23FF0000")', ['black', 'red']],
      ['color=not.in.(%23000000)', ['blue', 'red']],
      ['color=in.()', []],
      ['color=eq(any).{%23000000,%23ff0000}', ['black', 'red']],
      ['color=gt(all).{%23000000,%23000001}', ['blue', 'red']],
      ['color=isdistinct.%230000FF', ['black', 'red']],
      ['mixed_at=is.null', ['red']],
      ['mixed_at=lt.100', ['black']],
      ['or=(color.eq.%23000000,and(mixed_at.eq.120,color.gt.%23000000))', ['black', 'blue']],
      ['not.or=(color.eq.%23000000,color.eq.%23FF0000)', ['blue']],
    ])('accept values in the format of the column: %s', async (filter, names) => {
      expect(await read(`/paints?select=name&order=color&${filter}`)).toEqual(
        names.map((name) => ({ name })),
      );
    });

    it('accept the native format where there is no cast', async () => {
      expect(await read('/paints?select=name&shade=eq.50')).toEqual([{ name: 'blue' }]);
    });

    it('reject unreadable values with the function’s message', async () => {
      const { harness } = await scene();
      const { status, body } = await harness.ask('/paints?color=eq.blue');
      expect([status, body]).toEqual([
        400,
        { code: '22P02', message: 'blue is no color', details: null, hint: null },
      ]);
    });
  });

  describe('bodies', () => {
    const white = { color: '#FFFFFF', name: 'white', mixed_at: 90 };

    it('are read and returned in the format of the column', async () => {
      const { harness } = await scene();
      const reply = await harness.write('POST', '/paints', white);
      expect([reply.status, reply.body]).toEqual([201, [{ ...white, shade: null }]]);
      expect(
        await stored(`SELECT color, extract(epoch FROM mixed_at)::int FROM paints WHERE name = 'white'`),
      ).toEqual([['16777215', '90']]);
    });

    it('can have a dozen rows', async () => {
      const { harness } = await scene();
      const list = Array.from({ length: 12 }, (_, index) => ({
        color: `#AAAA${String(index).padStart(2, '0')}`,
        name: `n${index}`,
      }));
      const reply = await harness.write('POST', '/paints?select=color', list);
      expect([reply.status, reply.body]).toEqual([201, list.map(({ color }) => ({ color }))]);
    });

    it('can be CSV and forms', async () => {
      const { harness } = await scene();
      const csv = await harness.write(
        'POST',
        '/paints?select=color,mixed_at',
        'color,name,mixed_at\n#00FF00,green,NULL\n',
        {
          'content-type': 'text/csv',
        },
      );
      expect([csv.status, csv.body]).toEqual([201, [{ color: '#00FF00', mixed_at: null }]]);
      const form = await harness.write(
        'POST',
        '/paints?select=color,mixed_at',
        'color=%2300FF01&name=lime&mixed_at=7',
        {
          'content-type': 'application/x-www-form-urlencoded',
        },
      );
      expect([form.status, form.body]).toEqual([201, [{ color: '#00FF01', mixed_at: 7 }]]);
    });

    it('change rows in the format of the column', async () => {
      const { harness } = await scene();
      const reply = await harness.write('PATCH', '/rooms?id=eq.1&select=id,wall', { wall: '#FF0000' });
      expect([reply.status, reply.body]).toEqual([200, [{ id: 1, wall: '#FF0000' }]]);
      const none = await harness.write('PATCH', '/rooms?id=eq.2&select=wall', { wall: null });
      expect([none.status, none.body]).toEqual([200, [{ wall: '' }]]);
    });

    it('merge with rows of the same represented key', async () => {
      const { harness } = await scene();
      const list = [
        { color: '#0000ff', name: 'azure' },
        { color: '#0000FE', name: 'almost' },
      ];
      const reply = await harness.write('POST', '/paints?select=color,name,shade', list, {
        prefer: 'return=representation, resolution=merge-duplicates',
      });
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual(
        expect.arrayContaining([
          { color: '#0000FF', name: 'azure', shade: '50%' },
          { color: '#0000FE', name: 'almost', shade: null },
        ]),
      );
    });

    it('replace the row of a represented key by PUT', async () => {
      const { harness } = await scene();
      const row = { color: '#0000FF', name: 'navy', mixed_at: 5, shade: 3 };
      const reply = await harness.write('PUT', '/paints?color=eq.%230000FF', row);
      expect([reply.status, reply.body]).toEqual([200, [{ ...row, shade: '3%' }]]);
      const other = await harness.write('PUT', '/paints?color=eq.%230000FF', { ...row, color: '#0000FE' });
      expect([other.status, other.body]).toMatchObject([400, { code: 'PGRST115' }]);
      expect(await stored(`SELECT name FROM paints ORDER BY color`)).toEqual([['black'], ['navy'], ['red']]);
    });

    it('keep defaults where a key is missing', async () => {
      const { harness } = await scene();
      const list = [
        { color: '#000001', name: 'a' },
        { color: '#000002', name: 'b', mixed_at: 3 },
      ];
      const reply = await harness.write(
        'POST',
        '/paints?columns=color,name,mixed_at&select=mixed_at&order=color',
        list,
        {
          prefer: 'return=representation, missing=default',
        },
      );
      expect([reply.status, reply.body]).toEqual([201, [{ mixed_at: 86_400 }, { mixed_at: 3 }]]);
    });

    it('accept the native format where there is no cast', async () => {
      const { harness } = await scene();
      const reply = await harness.write('PATCH', '/paints?color=eq.%23000000&select=shade', { shade: 7 });
      expect([reply.status, reply.body]).toEqual([200, [{ shade: '7%' }]]);
    });

    it('change nothing when one row cannot be read', async () => {
      const { harness } = await scene();
      const list = [white, { ...white, color: 'none' }];
      const reply = await harness.write('POST', '/paints', list);
      expect([reply.status, reply.body]).toMatchObject([400, { code: '22P02', message: 'none is no color' }]);
      expect(await stored('SELECT count(*) FROM paints')).toEqual([['3']]);
    });

    it('with a key that is not a column are rejected', async () => {
      const { harness } = await scene();
      const reply = await harness.write('POST', '/paints', { ...white, colour: '#000000' });
      expect([reply.status, reply.body]).toMatchObject([400, { code: 'PGRST204' }]);
    });

    it('return a location with the key as filters accept it', async () => {
      const { harness } = await scene();
      const reply = await harness.ask('/paints', {
        method: 'POST',
        body: white,
        headers: { prefer: 'return=headers-only' },
      });
      const location = reply.headers.get('location')!;
      expect([reply.status, reply.text, location]).toEqual([201, '', '/gateway/paints?color=eq.%23FFFFFF']);
      expect(await read(`${location.replace('/gateway', '')}&select=name`)).toEqual([{ name: 'white' }]);
    });

    it('can be written to views', async () => {
      const { harness } = await scene();
      const reply = await harness.write('POST', '/bright_paints', { color: '#123456', name: 'dusk' });
      expect([reply.status, reply.body]).toEqual([201, [{ color: '#123456', name: 'dusk' }]]);
    });
  });

  it('deletes rows by a key in its format', async () => {
    const { harness } = await scene();
    const reply = await harness.write('DELETE', '/rooms?wall=eq.%230000FF&select=wall');
    expect([reply.status, reply.body]).toEqual([200, [{ wall: '#0000FF' }]]);
  });
});
