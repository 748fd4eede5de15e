import { describe, expect, it } from 'vitest';
import { describeOnGateways } from './gateway-harness.ts';

const schema = `
CREATE TABLE series (id int PRIMARY KEY, title text);
CREATE TABLE notifications (id int PRIMARY KEY, series int REFERENCES series);
CREATE VIEW popular AS SELECT id FROM series;
INSERT INTO series VALUES (1, 'Dune'), (2, 'Emma');
INSERT INTO notifications VALUES (1, 1), (2, NULL);

CREATE TABLE country (id int PRIMARY KEY, name text);
CREATE TABLE capital (id int PRIMARY KEY, name text, country int UNIQUE REFERENCES country);
INSERT INTO country VALUES (1, 'France');
INSERT INTO capital VALUES (7, 'Paris', 1);

CREATE TABLE people (id int PRIMARY KEY, parent int REFERENCES people);
CREATE VIEW adults AS SELECT id, parent FROM people;
CREATE VIEW minors AS SELECT id, parent FROM people;
INSERT INTO people VALUES (1, NULL), (2, 1);

CREATE TABLE tags (id int PRIMARY KEY, name text);
CREATE TABLE series_tags (series int REFERENCES series, tag int REFERENCES tags, PRIMARY KEY (series, tag));
CREATE VIEW tags_of_dune AS SELECT series, tag FROM series_tags WHERE series = 1;
INSERT INTO tags VALUES (1, 'desert'), (2, 'novel');
INSERT INTO series_tags VALUES (1, 1), (1, 2), (2, 2);

CREATE TABLE types (id int PRIMARY KEY, numbers int[], code char(3), codes char(2)[]);
INSERT INTO types VALUES (1, '{1,2}', 'abc', '{ab}');

CREATE TABLE shops (id int PRIMARY KEY, town text);
CREATE TABLE sales (id int PRIMARY KEY, shop int REFERENCES shops, amount int);
INSERT INTO shops VALUES (1, 'Bern'), (2, 'Arth');
INSERT INTO sales VALUES (1, 1, 5), (2, 1, 6), (3, 2, 1);

CREATE FUNCTION add_them(a int, b int) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT a + b $$;
CREATE FUNCTION one_record(wanted int) RETURNS record LANGUAGE sql STABLE AS $$
  SELECT id, title FROM series WHERE id = wanted
$$;
CREATE FUNCTION records() RETURNS SETOF record LANGUAGE sql STABLE AS $$ SELECT id, title FROM series ORDER BY id $$;
CREATE FUNCTION words(VARIADIC v text[] DEFAULT '{}') RETURNS text[] LANGUAGE sql IMMUTABLE AS $$ SELECT v $$;
CREATE FUNCTION greet(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'Hello, ' || name $$;
`;

const form = { 'content-type': 'application/x-www-form-urlencoded' };

describeOnGateways('parity with PostgREST', schema, (scene) => {
  const read = async (path: string): Promise<unknown> => {
    const { status, body } = await (await scene()).harness.ask(path);
    return status === 200 ? body : [status, body];
  };

  describe('relationship', () => {
    it.each([
      [
        'by a column named as its target',
        '/notifications?select=id,series(title)&id=eq.1',
        [{ id: 1, series: { title: 'Dune' } }],
      ],
      [
        'to a view, by its name',
        '/notifications?select=id,popular(*)&id=eq.1',
        [{ id: 1, popular: { id: 1 } }],
      ],
      [
        'by the referenced column',
        '/country?select=name,id(name)',
        [{ name: 'France', id: { name: 'Paris' } }],
      ],
      [
        'from a view to itself',
        '/adults?select=id,parent(id)&order=id',
        [
          { id: 1, parent: null },
          { id: 2, parent: { id: 1 } },
        ],
      ],
      [
        'through a view of the junction',
        '/series?select=id,tags!tags_of_dune(name)&order=id&tags.order=name',
        [
          { id: 1, tags: [{ name: 'desert' }, { name: 'novel' }] },
          { id: 2, tags: [] },
        ],
      ],
      [
        'through the junction',
        '/series?select=id,tags(name)&id=eq.2',
        [{ id: 2, tags: [{ name: 'novel' }] }],
      ],
      [
        'through the junction, by a constraint that its view exposes as well',
        '/series?select=id,tags!series_tags_tag_fkey(name)&id=eq.2',
        [{ id: 2, tags: [{ name: 'novel' }] }],
      ],
    ])('is found %s', async (_, path, body) => {
      expect(await read(path)).toEqual(body);
    });

    it('without a selection on any level is omitted', async () => {
      expect(await read('/series?select=id,series_tags(tags())&order=id')).toEqual([{ id: 1 }, { id: 2 }]);
      expect(
        await read('/series?select=id,series_tags!inner(tags!inner())&series_tags.tags.id=eq.1'),
      ).toEqual([{ id: 1 }]);
    });
  });

  describe('grouped rows', () => {
    const open = async () => (await scene()).build({ allowsAggregates: true });

    it('are ordered by a column of a spread resource, or its alias', async () => {
      const harness = await open();
      const { body } = await harness.ask('/sales?select=amount.sum(),...shops(town)&order=shops(town)');
      expect(body).toEqual([
        { sum: 1, town: 'Arth' },
        { sum: 11, town: 'Bern' },
      ]);
      const aliased = await harness.ask(
        '/sales?select=amount.sum(),...shops(place:town)&order=shops(place).desc',
      );
      expect(aliased.body).toEqual([
        { sum: 11, place: 'Bern' },
        { sum: 1, place: 'Arth' },
      ]);
    });

    it('are not ordered by unselected columns', async () => {
      expect(
        await (await open()).ask('/sales?select=amount.sum(),...shops(town)&order=shops(id)'),
      ).toMatchObject({
        status: 400,
        body: {
          code: '42803',
          message: 'column "shops.id" must appear in the GROUP BY clause or be used in an aggregate function',
          hint: 'Select it as well: ...shops(id).',
        },
      });
    });
  });

  describe('function', () => {
    it('can return records', async () => {
      expect(await read('/rpc/one_record?wanted=2')).toEqual({ id: 2, title: 'Emma' });
      expect(await read('/rpc/records')).toEqual([
        { id: 1, title: 'Dune' },
        { id: 2, title: 'Emma' },
      ]);
      const { harness } = await scene();
      const posted = await harness.ask('/rpc/one_record', { method: 'POST', body: { wanted: 1 } });
      expect(posted.body).toEqual({ id: 1, title: 'Dune' });
    });

    it('of one value counts as one row', async () => {
      const { harness } = await scene();
      const reply = await harness.ask('/rpc/add_them?a=3&b=4', { headers: { prefer: 'count=exact' } });
      expect([reply.status, reply.text, reply.headers.get('content-range')]).toEqual([200, '7', '0-0/1']);
    });

    it.each([
      ['words', '', []],
      ['words', 'v=hi', ['hi']],
      ['words', 'v=hi&v=there', ['hi', 'there']],
      ['greet', 'name=ignored&name=world', 'Hello, world'],
    ])('accepts a form: %s with "%s"', async (name, body, result) => {
      const { harness } = await scene();
      expect(await harness.ask(`/rpc/${name}`, { method: 'POST', headers: form, body })).toMatchObject({
        status: 200,
        body: result,
      });
    });
  });

  it('casts to arrays by their names in PostgreSQL', async () => {
    expect(await read('/types?select=numbers::_int8')).toEqual([{ numbers: [1, 2] }]);
    expect(await read('/types?select=numbers::_nothing')).toMatchObject([400, { code: '42704' }]);
  });

  it('describes characters by their SQL name, and a foreign key by its table alone', async () => {
    const { definitions } = (await read('/')) as {
      definitions: Record<string, { properties: Record<string, { format: string; description?: string }> }>;
    };
    const { code, codes } = definitions['types']!.properties;
    expect([code?.format, codes?.format]).toEqual(['character', 'character[]']);
    const note = "Note:\nThis is a Foreign Key to `series.id`.<fk table='series' column='id'/>";
    expect(definitions['notifications']!.properties['series']?.description).toBe(note);
  });
});

const loops = `
CREATE TABLE base (id int PRIMARY KEY, name text);
INSERT INTO base VALUES (1, 'one');
CREATE VIEW itself AS TABLE base;
CREATE OR REPLACE VIEW itself AS TABLE itself;
CREATE VIEW first AS TABLE base;
CREATE VIEW second AS TABLE first;
CREATE OR REPLACE VIEW first AS TABLE second;
CREATE SCHEMA hidden;
CREATE VIEW hidden.loop AS TABLE base;
CREATE OR REPLACE VIEW hidden.loop AS TABLE hidden.loop;
CREATE VIEW over AS SELECT * FROM first;
`;

describeOnGateways('self-referential views', loops, (scene) => {
  it('do not affect others', async () => {
    const { harness } = await scene();
    expect(await harness.ask('/base')).toMatchObject({ status: 200, body: [{ id: 1, name: 'one' }] });
    for (const view of ['itself', 'first', 'second', 'over'])
      expect(await harness.ask(`/${view}`)).toMatchObject({ status: 500, body: { code: '42P17' } });
    expect((await harness.ask('/')).status).toBe(200);
  });
});
