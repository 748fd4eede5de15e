import { beforeAll, describe, expect, test } from 'vitest';
import { CatalogCache, installEventTrigger } from '../../../../core/gateway/catalog/catalog-cache.ts';
import type { Catalog, Column, Relationship } from '../../../../core/gateway/catalog/catalog.ts';
import { readCatalog, type CatalogScope } from '../../../../core/gateway/catalog/read-catalog.ts';
import { describeOnDatabases } from '../../../rig/databases/describe-on-databases.ts';
import { FakeClock } from '../../../rig/fake-clock.ts';
import { until } from '../../../rig/until.ts';
import { filmsSql } from './films.ts';
import { silentLogger } from '../../../rig/silent-logger.ts';

const scope = (schemas: readonly string[]): CatalogScope => ({
  schemas,
  extraSearchPath: ['extra'],
  clock: new FakeClock(),
});

describeOnDatabases('the catalog', (under) => {
  let catalog: Catalog;

  beforeAll(async () => {
    await under().database.runScript(filmsSql);
    catalog = await readCatalog(under().database, scope(['films']));
  }, 60_000);

  const column = (relation: string, name: string): Column =>
    catalog.findRelation('films', relation)!.columns.find((one) => one.name === name)!;

  const waysFrom = (name: string, to: string): Relationship[] =>
    catalog.relationshipsFrom({ schema: 'films', name }).filter((way) => way.to.name === to);

  describe('relations', () => {
    test('are those of the exposed schema, without partitions', () => {
      const kinds = catalog.relations.map(({ name, kind }) => `${name}: ${kind}`);
      expect(kinds).toEqual([
        'acting: view',
        'actors: table',
        'both_kinds: view',
        'counts: materialized view',
        'details: table',
        'films: table',
        'people: view',
        'seniors: view',
        'shows: partitioned table',
      ]);
      expect(catalog.findRelation('hidden', 'people')).toBeUndefined();
      expect(catalog.schemas).toEqual(['films']);
      expect(catalog.serverVersion).toMatch(/^\d+\.\d+$/);
      expect(catalog.readAt).toBe(new FakeClock().now());
    });

    test('have their comments and whether they are writable', () => {
      expect(catalog.findRelation('films', 'films')).toMatchObject({
        comment: 'What was made',
        isInsertable: true,
        isUpdatable: true,
        isDeletable: true,
      });
      expect(column('films', 'title').comment).toBe('As on the poster');
      expect(catalog.findRelation('films', 'people')).toMatchObject({ isInsertable: true });
      const readOnly = { isInsertable: false, isUpdatable: false, isDeletable: false };
      expect(catalog.findRelation('films', 'counts')).toMatchObject(readOnly);
      expect(catalog.findRelation('films', 'both_kinds')).toMatchObject(readOnly);
    });

    test('have their keys; views have those of underlying tables they show completely', () => {
      const keysOf = (name: string) => {
        const { primaryKey, uniqueKeys } = catalog.findRelation('films', name)!;
        return { primaryKey, uniqueKeys };
      };
      expect(keysOf('films')).toEqual({ primaryKey: ['id'], uniqueKeys: [['title', 'mood'], ['size']] });
      expect(keysOf('actors')).toEqual({ primaryKey: ['film', 'person'], uniqueKeys: [] });
      expect(keysOf('people').primaryKey).toEqual(['person}id']);
      expect(keysOf('seniors').primaryKey).toEqual(['id']);
      expect(keysOf('shows').primaryKey).toEqual(['id', 'day']);
      expect(keysOf('both_kinds').primaryKey).toEqual([]);
    });
  });

  describe('columns', () => {
    test('have their type, base type of domains, length and labels', () => {
      expect(column('films', 'key')).toMatchObject({ typeSql: 'films.app_uuid', baseTypeSql: 'uuid' });
      expect(column('films', 'inner_key')).toMatchObject({ baseTypeSql: 'uuid', isNullable: false });
      expect(column('films', 'size')).toMatchObject({ baseTypeSql: 'character varying', maxLength: 12 });
      expect(column('films', 'letters')).toMatchObject({ typeSql: 'character(3)', maxLength: 3 });
      expect(column('films', 'price')).toMatchObject({
        typeSql: 'numeric(10,2)',
        isNullable: false,
        maxLength: null,
      });
      expect(column('films', 'mood').enumValues).toEqual(['sad', 'glad']);
    });

    test('have the default of the column, else of the domain, else of the table below a view', () => {
      expect(column('films', 'price').defaultSql).toBe('1.50');
      expect(column('films', 'mood').defaultSql).toBe("'sad'::films.mood");
      expect(column('films', 'key').defaultSql).toContain('00000000-0000-0000-0000-000000000001');
      expect(column('films', 'inner_key').defaultSql).toContain('00000000-0000-0000-0000-000000000001');
      expect(column('films', 'id')).toMatchObject({
        defaultSql: "nextval('films.films_id_seq'::regclass)",
        isGenerated: false,
      });
      expect(column('films', 'slug')).toMatchObject({ defaultSql: null, isGenerated: true });
      expect(column('films', 'title').defaultSql).toBeNull();
      expect(column('people', 'name').defaultSql).toBe("'nobody'::text");
      expect(column('people', 'code').isGenerated).toBe(true);
      expect(column('people', 'loud').defaultSql).toBeNull();
    });
  });

  describe('representations', () => {
    test('are implicit casts by function with json and text, in any schema', () => {
      const key = column('films', 'key').representation!;
      expect(key).toEqual({
        domain: { schema: 'films', name: 'app_uuid' },
        response: {
          functionSql: 'hidden."Odd name"',
          argumentTypeSql: 'films.app_uuid',
          volatility: 'immutable',
        },
        filter: { functionSql: 'hidden.parse', argumentTypeSql: 'text', volatility: 'stable' },
        body: { functionSql: 'hidden.parse', argumentTypeSql: 'json', volatility: 'volatile' },
      });
      expect(column('people', 'person}id').representation).toEqual(key);
      expect(column('films', 'size').representation!.response).toMatchObject({
        functionSql: 'films.size_json',
        argumentTypeSql: 'character varying',
      });
      expect(catalog.representations.map(({ domain }) => domain.name).toSorted()).toEqual([
        'app_uuid',
        'size',
      ]);
    });

    test('apply to columns of exactly that type', () => {
      for (const name of ['inner_key', 'key_list', 'base'])
        expect(column('films', name).representation).toBeUndefined();
    });

    test('need the right to call the function', async () => {
      const { database, server, settings } = under();
      if (server === undefined) return;
      await database.runScript(
        'CREATE ROLE reader LOGIN; REVOKE EXECUTE ON FUNCTION hidden.parse(text) FROM public;' +
          'GRANT USAGE ON SCHEMA films, hidden TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA films TO reader;',
      );
      const { openDatabase } = await import('../../../../core/gateway/database/open-database.ts');
      const url = settings.databaseUrl!.replace('postgres@', 'reader@');
      const asReader = openDatabase(
        { ...settings, databaseUrl: url },
        under().home,
        new FakeClock(),
        silentLogger,
      );
      const seen = await readCatalog(asReader, scope(['films']));
      await asReader.close();
      await database.runScript('GRANT EXECUTE ON FUNCTION hidden.parse(text) TO public');
      const key = seen.findRelation('films', 'films')!.columns.find(({ name }) => name === 'key')!;
      expect(key.representation).toMatchObject({ response: {}, body: {} });
      expect(key.representation).not.toHaveProperty('filter');
    });
  });

  describe('relationships', () => {
    test('lead both ways along a foreign key, including through views over other schemas', () => {
      expect(waysFrom('films', 'people').filter(({ isOwned }) => isOwned)).toEqual([
        {
          from: { schema: 'films', name: 'films' },
          to: { schema: 'films', name: 'people' },
          cardinality: 'many-to-one',
          constraint: 'director_fk',
          columns: [{ from: 'director', to: 'person}id' }],
          isOwned: true,
        },
      ]);
      expect(
        waysFrom('seniors', 'films').find(({ constraint }) => constraint === 'director_fk'),
      ).toMatchObject({
        cardinality: 'one-to-many',
        columns: [{ from: 'id', to: 'director' }],
        isOwned: false,
      });
      expect(waysFrom('people', 'people').map(({ cardinality }) => cardinality)).toEqual([
        'many-to-one',
        'one-to-many',
      ]);
      expect(waysFrom('films', 'shows')).toHaveLength(1);
    });

    test('are one-to-one when the foreign key is unique', () => {
      expect(waysFrom('details', 'films')).toMatchObject([{ cardinality: 'one-to-one', isOwned: true }]);
    });

    test('lead through junctions and, for hints only, through views of them', () => {
      const ways = waysFrom('films', 'people').filter(({ cardinality }) => cardinality === 'many-to-many');
      const junction = {
        constraint: 'actors_person_fkey',
        near: [{ from: 'id', to: 'film' }],
        far: [{ from: 'person', to: 'person}id' }],
      };
      expect(ways).toMatchObject([
        {
          constraint: 'actors_film_fkey',
          columns: [],
          junction: { ...junction, relation: { schema: 'films', name: 'actors' } },
        },
        {
          constraint: 'actors_film_fkey',
          columns: [],
          junction: { ...junction, relation: { schema: 'films', name: 'acting' }, isView: true },
        },
      ]);
      expect(ways[0]!.junction).not.toHaveProperty('isView');
    });

    test('can be computed by functions between rows, which override others of the same name', () => {
      expect(waysFrom('films', 'people').filter(({ computedBy }) => computedBy !== undefined)).toMatchObject([
        { cardinality: 'one-to-many', constraint: 'cast_of', computedBy: 'films.cast_of' },
      ]);
      expect(waysFrom('films', 'details')).toMatchObject([
        { cardinality: 'many-to-one', constraint: 'details', computedBy: 'films.details' },
      ]);
    });
  });

  test('include computed columns by functions of exposed and extra schemas', () => {
    expect([...catalog.computedColumns({ schema: 'films', name: 'films' })]).toEqual([
      ['full_title', { functionSql: 'extra.full_title', typeSql: 'text', comparedAs: null }],
    ]);
    expect(catalog.computedColumns({ schema: 'films', name: 'details' }).size).toBe(0);
  });

  describe('routines', () => {
    test('are functions that a request can call', () => {
      expect(catalog.routines.map(({ name }) => name)).toEqual([
        'add',
        'add',
        'best',
        'join_all',
        'numbers',
        'split',
        'whole',
      ]);
      expect(catalog.findRoutines('films', 'add')).toMatchObject([
        {
          parameters: [
            { name: 'a', typeSql: 'integer', isRequired: true, isVariadic: false },
            { name: 'b', typeSql: 'integer', isRequired: false, isVariadic: false },
          ],
          volatility: 'immutable',
          result: 'scalar',
          resultTypeSql: 'integer',
          comment: 'Adds',
        },
        { volatility: 'stable' },
      ]);
    });

    test('have kinds of parameters and results', () => {
      const only = (name: string) => catalog.findRoutines('films', name)[0]!;
      expect(only('join_all')).toMatchObject({
        parameters: [{ isVariadic: true, typeSql: 'bpchar[]' }],
        result: 'void',
      });
      expect(only('split').parameters.map(({ name }) => name)).toEqual(['a', 'rest']);
      expect(only('split')).toMatchObject({ result: 'composite', isSet: false });
      expect(only('numbers')).toMatchObject({ result: 'composite', isSet: true, resultRelation: null });
      expect(only('best')).toMatchObject({ isSet: true, resultRelation: { schema: 'films', name: 'films' } });
      expect(only('whole')).toMatchObject({
        parameters: [{ name: '' }],
        result: 'composite',
        resultRelation: null,
      });
    });
  });

  test.each([
    ['int', 'integer'],
    ['INT4', 'integer'],
    ['timestamp with  time zone', 'timestamp with time zone'],
    ['timestamptz', 'timestamp with time zone'],
    ['app_uuid', 'films.app_uuid'],
    ['films.mood', 'films.mood'],
    ['text[]', 'text[]'],
    ['_text', 'text[]'],
    ['_colour', undefined],
    ['record', undefined],
    ['colour', undefined],
    ['films', undefined],
    ['constructor', undefined],
    ['int; drop table films', undefined],
  ])('the type %s is %s', (name, sql) => {
    expect(catalog.findType(name)).toBe(sql);
  });

  test('suggests similar names', () => {
    expect(catalog.nearestRelation('films', 'fims')).toBe('films');
    expect(catalog.nearestRelation('films', 'invoices')).toBeUndefined();
    expect(catalog.nearestRelation('other', 'films')).toBeUndefined();
    expect(catalog.nearestRoutine('films', 'numbres')).toBe('numbers');
  });

  describe('reload', () => {
    const keep = async (use: (keeper: CatalogCache) => Promise<void>): Promise<void> => {
      const { database } = under();
      await database.runScript('DROP SCHEMA IF EXISTS changing CASCADE; CREATE SCHEMA changing');
      const keeper = new CatalogCache(database, scope(['changing']), silentLogger);
      try {
        await use(keeper);
      } finally {
        await keeper.close();
      }
    };
    const names = (of: Catalog | undefined): string[] | undefined => of?.relations.map(({ name }) => name);

    test('on call; until then, the old catalog stays', () =>
      keep(async (keeper) => {
        expect(keeper.current).toBeUndefined();
        const first = await keeper.get();
        await under().database.runScript('CREATE TABLE changing.a ()');
        expect(await keeper.get()).toBe(first);
        const reloaded = keeper.reload();
        expect(keeper.current).toBeUndefined();
        expect(names(await keeper.get())).toEqual(['a']);
        expect(await reloaded).toBe(keeper.current);
      }));

    test.each(['stepwright', 'pgrst'])('by NOTIFY %s', (channel) =>
      keep(async (keeper) => {
        await keeper.get();
        await under().database.runScript(`CREATE TABLE changing.b (); NOTIFY ${channel}, 'reload config'`);
        await under().database.runScript(`CREATE TABLE changing.c (); NOTIFY ${channel}, 'reload schema'`);
        await until(() => names(keeper.current)?.includes('c') === true);
        expect(names(await keeper.get())).toEqual(['b', 'c']);
      }),
    );

    test('by event triggers: domains, casts, tables, drops', () =>
      keep(async (keeper) => {
        const { database } = under();
        await installEventTrigger(database);
        await installEventTrigger(database);
        await keeper.get();
        await database.runScript(
          'CREATE DOMAIN changing.mark AS int; CREATE TABLE changing.d (m changing.mark)',
        );
        await until(() => names(keeper.current)?.includes('d') === true);
        await database.runScript(
          'CREATE FUNCTION changing.j(changing.mark) RETURNS json LANGUAGE sql AS $$ SELECT to_json($1::int) $$',
        );
        await database.runScript(
          'CREATE CAST (changing.mark AS json) WITH FUNCTION changing.j(changing.mark) AS IMPLICIT',
        );
        const isSeen = () =>
          keeper.current?.findRelation('changing', 'd')?.columns[0]?.representation?.response !== undefined;
        await until(isSeen);
        await database.runScript('DROP CAST (changing.mark AS json)');
        await until(() => keeper.current !== undefined && !isSeen());
        const before = keeper.current;
        await database.runScript('CREATE TEMPORARY TABLE passing (); DROP TABLE passing');
        await database.runScript('DROP TABLE changing.d');
        await until(() => keeper.current !== before && names(keeper.current)?.length === 0);
        expect(names(await keeper.get())).toEqual([]);
        await database.runScript('DROP SCHEMA stepwright CASCADE');
      }));
  });
});
