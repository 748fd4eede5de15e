import { expect } from 'vitest';
import type { Catalog, Relation } from '../../../../core/gateway/catalog/catalog.ts';
import type { GatewayDatabase } from '../../../../core/gateway/database/database.ts';
import { planInsertCached, planReadCached } from '../../../../core/gateway/plan/plan-cache.ts';
import { planCall } from '../../../../core/gateway/plan/plan-call.ts';
import { planRead } from '../../../../core/gateway/plan/plan-read.ts';
import { planDelete, planInsert, planPut, planUpdate } from '../../../../core/gateway/plan/plan-write.ts';
import { type Plan, planColumns } from '../../../../core/gateway/plan/plan.ts';
import type { CallBody, PlanRequest, PlanSettings } from '../../../../core/gateway/plan/request.ts';
import { parseQuery } from '../../../../core/gateway/query/parse-query.ts';
import type { Body, Preferences, ResponseFormat } from '../../../../core/gateway/query/query.ts';

/** A schema with everything a plan may encounter: conversions of several kinds, relationships both ways, functions. */
export const shopSql = `
CREATE SCHEMA shop; CREATE SCHEMA reps; CREATE SCHEMA outside;
SET search_path TO shop;

CREATE DOMAIN reps.app_uuid AS uuid;
CREATE FUNCTION reps.uuid_json(reps.app_uuid) RETURNS json IMMUTABLE LANGUAGE sql
  AS $$ SELECT to_json(encode(uuid_send($1), 'base64')) $$;
CREATE FUNCTION reps.uuid_text(text) RETURNS reps.app_uuid IMMUTABLE LANGUAGE sql
  AS $$ SELECT encode(decode($1, 'base64'), 'hex')::uuid::reps.app_uuid $$;
CREATE FUNCTION reps.uuid_body(json) RETURNS reps.app_uuid IMMUTABLE LANGUAGE sql
  AS $$ SELECT reps.uuid_text($1 #>> '{}') $$;
CREATE CAST (reps.app_uuid AS json) WITH FUNCTION reps.uuid_json(reps.app_uuid) AS IMPLICIT;
CREATE CAST (text AS reps.app_uuid) WITH FUNCTION reps.uuid_text(text) AS IMPLICIT;
CREATE CAST (json AS reps.app_uuid) WITH FUNCTION reps.uuid_body(json) AS IMPLICIT;

-- #rrggbb over an integer; nothing is said of volatility.
CREATE DOMAIN reps.color AS integer DEFAULT 255;
CREATE FUNCTION reps.color_json(reps.color) RETURNS json LANGUAGE sql
  AS $$ SELECT CASE WHEN $1 IS NULL THEN '""'::json ELSE to_json('#' || lpad(to_hex($1), 6, '0')) END $$;
CREATE FUNCTION reps.color_text(text) RETURNS reps.color LANGUAGE sql
  AS $$ SELECT ('x' || lpad(substr($1, 2), 8, '0'))::bit(32)::int::reps.color $$;
CREATE FUNCTION reps.color_body(json) RETURNS reps.color LANGUAGE sql
  AS $$ SELECT reps.color_text($1 #>> '{}') $$;
CREATE CAST (reps.color AS json) WITH FUNCTION reps.color_json(reps.color) AS IMPLICIT;
CREATE CAST (text AS reps.color) WITH FUNCTION reps.color_text(text) AS IMPLICIT;
CREATE CAST (json AS reps.color) WITH FUNCTION reps.color_body(json) AS IMPLICIT;

-- Seconds over a time stamp: a default would not pass through the body conversion.
CREATE DOMAIN reps.seconds AS timestamptz;
CREATE FUNCTION reps.seconds_json(reps.seconds) RETURNS json IMMUTABLE LANGUAGE sql
  AS $$ SELECT CASE WHEN $1 IS NULL THEN NULL ELSE json_build_object('seconds', extract(epoch FROM $1)::bigint, 'zone', 'UTC') END $$;
CREATE FUNCTION reps.seconds_body(json) RETURNS reps.seconds IMMUTABLE LANGUAGE sql
  AS $$ SELECT to_timestamp(($1 #>> '{}')::bigint)::reps.seconds $$;
CREATE CAST (reps.seconds AS json) WITH FUNCTION reps.seconds_json(reps.seconds) AS IMPLICIT;
CREATE CAST (json AS reps.seconds) WITH FUNCTION reps.seconds_body(json) AS IMPLICIT;

-- Upper case over text in lower case: patterns make sense of what is stored.
CREATE DOMAIN reps.code AS text;
CREATE FUNCTION reps.code_json(reps.code) RETURNS json IMMUTABLE LANGUAGE sql AS $$ SELECT to_json(upper($1)) $$;
CREATE FUNCTION reps.code_text(text) RETURNS reps.code IMMUTABLE LANGUAGE sql AS $$ SELECT lower($1)::reps.code $$;
CREATE CAST (reps.code AS json) WITH FUNCTION reps.code_json(reps.code) AS IMPLICIT;
CREATE CAST (text AS reps.code) WITH FUNCTION reps.code_text(text) AS IMPLICIT;

-- Upper case over an enum, and one without conversions: PostgreSQL compares neither as it is.
CREATE TYPE reps.mood AS ENUM ('sad', 'fine', 'glad');
CREATE DOMAIN reps.loud_mood AS reps.mood;
CREATE FUNCTION reps.mood_json(reps.loud_mood) RETURNS json IMMUTABLE LANGUAGE sql AS $$ SELECT to_json(upper($1::text)) $$;
CREATE FUNCTION reps.mood_text(text) RETURNS reps.loud_mood IMMUTABLE LANGUAGE sql AS $$ SELECT lower($1)::reps.mood $$;
CREATE FUNCTION reps.mood_body(json) RETURNS reps.loud_mood IMMUTABLE LANGUAGE sql AS $$ SELECT reps.mood_text($1 #>> '{}') $$;
CREATE CAST (reps.loud_mood AS json) WITH FUNCTION reps.mood_json(reps.loud_mood) AS IMPLICIT;
CREATE CAST (text AS reps.loud_mood) WITH FUNCTION reps.mood_text(text) AS IMPLICIT;
CREATE CAST (json AS reps.loud_mood) WITH FUNCTION reps.mood_body(json) AS IMPLICIT;
CREATE DOMAIN reps.quiet_mood AS reps.mood;

CREATE TYPE place AS (street text, number int);
CREATE TABLE makers (id reps.app_uuid PRIMARY KEY, name text NOT NULL, parent reps.app_uuid REFERENCES makers);
CREATE TABLE colors (code reps.color PRIMARY KEY, name text);
CREATE TABLE items (
  id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  name text NOT NULL DEFAULT 'thing',
  maker reps.app_uuid CONSTRAINT items_maker_fk REFERENCES makers,
  color reps.color CONSTRAINT items_color_fk REFERENCES colors,
  sold_at reps.seconds DEFAULT '2020-01-01T00:00:00Z',
  price numeric(12,2), big bigint, tags text[], data jsonb, raw json, is_old boolean, place place, span int4range,
  words tsvector GENERATED ALWAYS AS (to_tsvector('simple', name)) STORED
);
CREATE INDEX items_by_color ON items (color);
CREATE INDEX items_by_maker ON items (maker);
CREATE TABLE details (item int PRIMARY KEY REFERENCES items ON DELETE CASCADE, note text);
CREATE TABLE orders (
  id int PRIMARY KEY, sent_to text,
  billing reps.app_uuid CONSTRAINT orders_billing_fk REFERENCES makers,
  shipping reps.app_uuid CONSTRAINT orders_shipping_fk REFERENCES makers
);
CREATE TABLE order_items (
  "order" int REFERENCES orders ON DELETE CASCADE, item int REFERENCES items ON DELETE CASCADE, amount int,
  PRIMARY KEY ("order", item)
);
CREATE TABLE "Odd ""name""" ("a.b" int PRIMARY KEY, "c,d" text);
CREATE TABLE codes (code reps.code PRIMARY KEY, turn serial UNIQUE, data jsonb);
CREATE TABLE people (id int PRIMARY KEY, name text);
CREATE TABLE follows (
  who int CONSTRAINT follows_who_fk REFERENCES people, whom int CONSTRAINT follows_whom_fk REFERENCES people,
  PRIMARY KEY (who, whom)
);
CREATE TABLE keyless (a int, b text);
CREATE TABLE excluded (id int PRIMARY KEY, color reps.color);
CREATE TABLE pairs (a int, b int, c text, PRIMARY KEY (a, b), UNIQUE (c));
CREATE TABLE moods (mood reps.loud_mood PRIMARY KEY, quiet reps.quiet_mood);
CREATE VIEW item_colors AS SELECT id, name, color FROM items;
CREATE VIEW dozens AS SELECT id, id AS number FROM generate_series(1, 12) AS id;

CREATE FUNCTION label(items) RETURNS text STABLE LANGUAGE sql AS $$ SELECT upper($1.name) $$;
CREATE FUNCTION half(items) RETURNS reps.color STABLE LANGUAGE sql AS $$ SELECT ($1.color / 2)::reps.color $$;
CREATE FUNCTION opposite(moods) RETURNS reps.loud_mood STABLE LANGUAGE sql
  AS $$ SELECT CASE $1.mood::text WHEN 'sad' THEN 'glad' WHEN 'glad' THEN 'sad' ELSE 'fine' END::reps.mood $$;
CREATE FUNCTION siblings(items) RETURNS SETOF items STABLE LANGUAGE sql
  AS $$ SELECT * FROM shop.items WHERE maker = $1.maker AND id <> $1.id $$;
CREATE FUNCTION first_maker(items) RETURNS SETOF makers ROWS 1 STABLE LANGUAGE sql
  AS $$ SELECT * FROM shop.makers WHERE id = $1.maker $$;

CREATE FUNCTION add(a int, b int) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT a + b $$;
CREATE FUNCTION greet(name text, greeting text DEFAULT 'Hello') RETURNS text IMMUTABLE LANGUAGE sql
  AS $$ SELECT greeting || ', ' || name $$;
CREATE FUNCTION overload(a int) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT 'one' $$;
CREATE FUNCTION overload(a int, b int) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT 'two' $$;
CREATE FUNCTION unclear(a int) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT 'int' $$;
CREATE FUNCTION unclear(a text) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT 'text' $$;
CREATE FUNCTION total(VARIADIC numbers int[]) RETURNS bigint IMMUTABLE LANGUAGE sql
  AS $$ SELECT sum(n) FROM unnest(numbers) AS n $$;
CREATE FUNCTION whole(json) RETURNS json IMMUTABLE LANGUAGE sql AS $$ SELECT $1 -> 'a' $$;
CREATE FUNCTION shout(text) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT upper($1) $$;
CREATE FUNCTION nothing() RETURNS void LANGUAGE sql AS $$ INSERT INTO shop.keyless VALUES (1, 'called') $$;
CREATE FUNCTION numbers(upto int) RETURNS SETOF int STABLE LANGUAGE sql AS $$ SELECT generate_series(1, upto) $$;
CREATE FUNCTION rows_of(upto int) RETURNS TABLE (n int, word text) STABLE LANGUAGE sql
  AS $$ SELECT n, 'w' || n FROM generate_series(1, upto) AS n $$;
CREATE FUNCTION one_item(id int) RETURNS items STABLE LANGUAGE sql AS $$ SELECT * FROM shop.items WHERE items.id = one_item.id $$;
CREATE FUNCTION items_of(wanted reps.app_uuid) RETURNS SETOF items STABLE LANGUAGE sql
  AS $$ SELECT * FROM shop.items WHERE maker = wanted $$;
CREATE FUNCTION mixed(VARIADIC colors reps.color[]) RETURNS int[] IMMUTABLE LANGUAGE sql AS $$ SELECT colors::int[] $$;
CREATE FUNCTION shades(VARIADIC codes reps.seconds[]) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT cardinality(codes) $$;
CREATE FUNCTION palette(upto int) RETURNS TABLE (place int, shade reps.color, data jsonb) STABLE LANGUAGE sql
  AS $$ SELECT n, (n * 16)::reps.color, jsonb_build_object('n', n) FROM generate_series(1, upto) AS n $$;
CREATE TYPE outside.swatch AS (shade reps.color, label text);
CREATE FUNCTION swatch(label text) RETURNS outside.swatch STABLE LANGUAGE sql
  AS $$ SELECT CASE WHEN label <> '' THEN ROW(255, label)::outside.swatch END $$;
CREATE FUNCTION all_moods() RETURNS TABLE (mood reps.loud_mood) STABLE LANGUAGE sql
  AS $$ SELECT unnest(enum_range(NULL::reps.mood)) $$;
CREATE FUNCTION nulls(OUT a int, OUT shade reps.color) IMMUTABLE LANGUAGE sql AS $$ SELECT NULL::int, NULL::reps.color $$;
CREATE FUNCTION darker(shade reps.color) RETURNS reps.color IMMUTABLE LANGUAGE sql AS $$ SELECT (shade / 2)::reps.color $$;
CREATE FUNCTION given(given int) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT given $$;
CREATE FUNCTION both_ways(INOUT a int, OUT b int) IMMUTABLE LANGUAGE sql AS $$ SELECT a, a * 2 $$;

INSERT INTO makers VALUES
  ('846c47ff-f64b-44e6-38a6-4f7710000001', 'Acme', NULL),
  ('846c47ff-f64b-44e6-38a6-4f7710000002', 'Bolt', '846c47ff-f64b-44e6-38a6-4f7710000001');
INSERT INTO colors VALUES (0, 'black'), (255, 'blue'), (65280, 'green');
INSERT INTO items (id, name, maker, color, price, big, tags, data, is_old, place, span) VALUES
  (1, 'anvil', '846c47ff-f64b-44e6-38a6-4f7710000001', 0, 1234567890.12, 9007199254740993, '{heavy,"a,b"}', '{"a": {"b": [1, 2.50, "x"]}}', true, '("Main, street",5)', '[1,5)'),
  (2, 'bolt, "small"', '846c47ff-f64b-44e6-38a6-4f7710000002', 255, 0.10, 2, '{}', '{"a": null}', false, NULL, '[5,9)'),
  (3, 'crate', '846c47ff-f64b-44e6-38a6-4f7710000001', 65280, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (4, 'dust', NULL, NULL, 7, 4, '{light}', '{"a": {"b": [3]}}', false, NULL, NULL);
INSERT INTO details VALUES (1, 'very heavy'), (3, 'empty');
INSERT INTO orders VALUES (1, 'north', '846c47ff-f64b-44e6-38a6-4f7710000001', '846c47ff-f64b-44e6-38a6-4f7710000002'), (2, 'south', NULL, NULL);
INSERT INTO order_items VALUES (1, 1, 2), (1, 2, 100), (2, 2, 5);
INSERT INTO "Odd ""name""" VALUES (1, 'x');
INSERT INTO codes (code, data) VALUES ('ab', '{"k": "x"}'), ('ac', '{"k": "x"}'), ('bc', '{"k": "y"}');
INSERT INTO moods VALUES ('sad', 'sad'), ('fine', 'glad'), ('glad', NULL);
INSERT INTO people VALUES (1, 'Ada'), (2, 'Bob'), (3, 'Cyd');
INSERT INTO follows VALUES (1, 2), (1, 3), (3, 1);
INSERT INTO excluded VALUES (1, 255);
INSERT INTO pairs VALUES (1, 1, 'x'), (1, 2, 'y');
SELECT setval('items_id_seq', 100);
RESET search_path;

-- May add, but see only a part.
CREATE ROLE clerk;
GRANT USAGE ON SCHEMA shop, reps TO clerk;
GRANT INSERT ON shop.keyless, shop.makers TO clerk;
GRANT SELECT (id, name), UPDATE (name) ON shop.makers TO clerk;
`;

/** Options of a request in addition to its query. */
interface ShopRequestOptions {
  readonly prefer?: Preferences;
  readonly format?: ResponseFormat;
  readonly settings?: Partial<PlanSettings>;
  /** Of the database that executes it. */
  readonly role?: string;
}

/** The one row of a main statement. */
interface Answer {
  readonly body: string | null;
  /** The body parsed. */
  readonly json: unknown;
  readonly shown: number;
  readonly total: string | null;
  readonly inserted: string | null;
  readonly key: unknown;
  /** Result of a further statement of the same transaction: the rows of a table after the write. */
  readonly after: unknown;
}

const array: ResponseFormat = { kind: 'array', stripsNulls: false };

/** A cached plan equals a fresh one for the same request, the first time and later. */
function sameAfterRoundTrip(plan: Plan, planOnce: () => Plan): Plan {
  expect([planOnce(), planOnce()]).toEqual([plan, plan]);
  return plan;
}

/** Plans requests and executes them, each in a transaction that is rolled back. */
export class ShopGateway {
  readonly database: GatewayDatabase;
  readonly catalog: Catalog;

  constructor(database: GatewayDatabase, catalog: Catalog) {
    this.database = database;
    this.catalog = catalog;
  }

  planRead(relation: string, query: string, options: ShopRequestOptions = {}): Plan {
    const request = { ...this.#request(query, options), relation: this.#relation(relation), withBody: true };
    return sameAfterRoundTrip(planRead(request), () => planReadCached(request));
  }

  read(relation: string, query: string, options: ShopRequestOptions = {}): Promise<Answer> {
    return this.#execute(this.planRead(relation, query, options), options);
  }

  /** The rows of a read. */
  async rows(relation: string, query: string, options: ShopRequestOptions = {}): Promise<unknown> {
    return (await this.read(relation, query, options)).json;
  }

  head(relation: string, query: string, options: ShopRequestOptions = {}): Promise<Answer> {
    const request = { ...this.#request(query, options), relation: this.#relation(relation), withBody: false };
    return this.#execute(planRead(request), options);
  }

  /** @param after a query whose rows are returned, too */
  post(
    relation: string,
    query: string,
    body: unknown,
    options: ShopRequestOptions = {},
    after?: string,
  ): Promise<Answer> {
    return this.#execute(this.planInsert(relation, query, body, options), options, after);
  }

  planInsert(relation: string, query: string, body: unknown, options: ShopRequestOptions = {}): Plan {
    const request = this.#write(relation, query, body, options);
    return sameAfterRoundTrip(planInsert(request), () => planInsertCached(request));
  }

  put(
    relation: string,
    query: string,
    body: unknown,
    options: ShopRequestOptions = {},
    after?: string,
  ): Promise<Answer> {
    return this.#execute(planPut(this.#write(relation, query, body, options)), options, after);
  }

  patch(
    relation: string,
    query: string,
    body: unknown,
    options: ShopRequestOptions = {},
    after?: string,
  ): Promise<Answer> {
    return this.#execute(planUpdate(this.#write(relation, query, body, options)), options, after);
  }

  delete(relation: string, query: string, options: ShopRequestOptions = {}, after?: string): Promise<Answer> {
    return this.#execute(
      planDelete({ ...this.#request(query, options), relation: this.#relation(relation) }),
      options,
      after,
    );
  }

  get(name: string, query: string, options: ShopRequestOptions = {}): Promise<Answer> {
    const request = { ...this.#request(query, options, true), schema: 'shop', name, method: 'GET' as const };
    return this.#execute(planCall(request), options);
  }

  call(
    name: string,
    query: string,
    body: unknown,
    options: ShopRequestOptions = {},
    after?: string,
  ): Promise<Answer> {
    const text = JSON.stringify(body);
    return this.callWith(name, query, { mediaType: 'json', text, ...objectOf(body) }, options, after);
  }

  callWith(
    name: string,
    query: string,
    body: CallBody,
    options: ShopRequestOptions = {},
    after?: string,
  ): Promise<Answer> {
    const request = { ...this.#request(query, options), schema: 'shop', name, method: 'POST' as const };
    return this.#execute(planCall({ ...request, body }), options, after);
  }

  async explain(plan: Plan): Promise<string> {
    const { text, values } = plan.main;
    const [, result] = await this.database.transact({
      isReadOnly: true,
      statements: [
        // With few rows, no index would be used.
        { text: 'SET LOCAL enable_seqscan = off', values: [] },
        { text: `EXPLAIN (VERBOSE) ${text}`, values },
      ],
    });
    return result!.rows.map(([line]) => line).join('\n');
  }

  #request(query: string, options: ShopRequestOptions, isCall = false): PlanRequest {
    return {
      catalog: this.catalog,
      settings: { allowsAggregates: false, allowsUnfiltered: false, ...options.settings },
      query: parseQuery(query, { isCall }),
      preferences: options.prefer ?? {},
      format: options.format ?? array,
    };
  }

  #write(relation: string, query: string, body: unknown, options: ShopRequestOptions) {
    const prefer = { return: 'representation' as const, ...options.prefer };
    return {
      ...this.#request(query, { ...options, prefer }),
      relation: this.#relation(relation),
      body: toBody(body),
    };
  }

  #relation(name: string): Relation {
    return this.catalog.findRelation('shop', name)!;
  }

  async #execute(plan: Plan, { role = 'none' }: ShopRequestOptions, after?: string): Promise<Answer> {
    const [, result, rest] = await this.database.transact({
      isReadOnly: plan.isReadOnly,
      statements: [
        { text: `SET LOCAL ROLE ${role}`, values: [] },
        plan.main,
        ...(after === undefined ? [] : [{ text: asJson(after), values: [] }]),
      ],
      keeps: () => false,
    });
    const row = Object.fromEntries(
      planColumns.map((name) => [name, result!.rows[0]![result!.columns.indexOf(name)] ?? null]),
    );
    return {
      body: row['body'] ?? null,
      json: parse(row['body']),
      shown: Number(row['shown']),
      total: row['total'] ?? null,
      inserted: row['inserted'] ?? null,
      key: parse(row['key']),
      after: parse(rest?.rows[0]?.[0]),
    };
  }
}

const asJson = (query: string): string => `SELECT json_agg(found)::text FROM (${query}) AS found`;

function parse(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null') as unknown;
  } catch {
    return undefined;
  }
}

/** What the parser of bodies makes of a value, or of raw JSON. */
function toBody(value: unknown): Body {
  const json = typeof value === 'string' ? value : JSON.stringify(value);
  const parsed = JSON.parse(json) as object | object[];
  const objects = Array.isArray(parsed) ? parsed : [parsed];
  return { json, isArray: Array.isArray(parsed), keys: Object.keys(objects[0] ?? {}), count: objects.length };
}

const objectOf = (value: unknown): { object?: Body } =>
  typeof value === 'object' && value !== null ? { object: toBody(value) } : {};
