import { expect } from 'vitest';
import type { Catalog, Relation } from '../../../../core/gateway/catalog/catalog.ts';
import type { GatewayDatabase } from '../../../../core/gateway/database/database.ts';
import { planInsertOnce, planReadOnce } from '../../../../core/gateway/plan/kept-plans.ts';
import { planCall } from '../../../../core/gateway/plan/plan-call.ts';
import { planRead } from '../../../../core/gateway/plan/plan-read.ts';
import { planDelete, planInsert, planPut, planUpdate } from '../../../../core/gateway/plan/plan-write.ts';
import { type Plan, planColumns } from '../../../../core/gateway/plan/plan.ts';
import type { CallBody, PlanRequest, PlanSettings } from '../../../../core/gateway/plan/request.ts';
import { parseQuery } from '../../../../core/gateway/query/parse-query.ts';
import type { Body, Preferences, ResponseFormat } from '../../../../core/gateway/query/query.ts';

/** What a test may say of a request beside its query. */
export interface Said {
  readonly prefer?: Preferences;
  readonly format?: ResponseFormat;
  readonly settings?: Partial<PlanSettings>;
  /** Of the database, that carries it out. */
  readonly role?: string;
}

/** The one row of a main statement. */
export interface Answer {
  readonly body: string | null;
  /** The body parsed. */
  readonly json: unknown;
  readonly shown: number;
  readonly total: string | null;
  readonly inserted: string | null;
  readonly key: unknown;
  /** What a further statement of the same transaction gave: the rows of a table after the write. */
  readonly after: unknown;
}

const array: ResponseFormat = { kind: 'array', stripsNulls: false };

/** A plan that is kept is the same as one that is made for its request alone, the first time and later. */
function sameWhenKept(plan: Plan, planOnce: () => Plan): Plan {
  expect([planOnce(), planOnce()]).toEqual([plan, plan]);
  return plan;
}

/** Plans requests and carries them out, each in a transaction that is rolled back. */
export class ShopDesk {
  readonly database: GatewayDatabase;
  readonly catalog: Catalog;

  constructor(database: GatewayDatabase, catalog: Catalog) {
    this.database = database;
    this.catalog = catalog;
  }

  planRead(relation: string, query: string, said: Said = {}): Plan {
    const request = { ...this.#request(query, said), relation: this.#relation(relation), withBody: true };
    return sameWhenKept(planRead(request), () => planReadOnce(request));
  }

  read(relation: string, query: string, said: Said = {}): Promise<Answer> {
    return this.#carryOut(this.planRead(relation, query, said), said);
  }

  /** The rows of a read. */
  async rows(relation: string, query: string, said: Said = {}): Promise<unknown> {
    return (await this.read(relation, query, said)).json;
  }

  head(relation: string, query: string, said: Said = {}): Promise<Answer> {
    const request = { ...this.#request(query, said), relation: this.#relation(relation), withBody: false };
    return this.#carryOut(planRead(request), said);
  }

  /** @param after a query whose rows are told, too */
  post(relation: string, query: string, body: unknown, said: Said = {}, after?: string): Promise<Answer> {
    return this.#carryOut(this.planInsert(relation, query, body, said), said, after);
  }

  planInsert(relation: string, query: string, body: unknown, said: Said = {}): Plan {
    const request = this.#write(relation, query, body, said);
    return sameWhenKept(planInsert(request), () => planInsertOnce(request));
  }

  put(relation: string, query: string, body: unknown, said: Said = {}, after?: string): Promise<Answer> {
    return this.#carryOut(planPut(this.#write(relation, query, body, said)), said, after);
  }

  patch(relation: string, query: string, body: unknown, said: Said = {}, after?: string): Promise<Answer> {
    return this.#carryOut(planUpdate(this.#write(relation, query, body, said)), said, after);
  }

  delete(relation: string, query: string, said: Said = {}, after?: string): Promise<Answer> {
    return this.#carryOut(
      planDelete({ ...this.#request(query, said), relation: this.#relation(relation) }),
      said,
      after,
    );
  }

  get(name: string, query: string, said: Said = {}): Promise<Answer> {
    const request = { ...this.#request(query, said, true), schema: 'shop', name, method: 'GET' as const };
    return this.#carryOut(planCall(request), said);
  }

  call(name: string, query: string, body: unknown, said: Said = {}, after?: string): Promise<Answer> {
    const text = JSON.stringify(body);
    return this.callWith(name, query, { mediaType: 'json', text, ...objectOf(body) }, said, after);
  }

  callWith(name: string, query: string, body: CallBody, said: Said = {}, after?: string): Promise<Answer> {
    const request = { ...this.#request(query, said), schema: 'shop', name, method: 'POST' as const };
    return this.#carryOut(planCall({ ...request, body }), said, after);
  }

  async explain(plan: Plan): Promise<string> {
    const { text, values } = plan.main;
    const [, result] = await this.database.transact({
      isReadOnly: true,
      statements: [
        // Of a few rows, no index would be worth it.
        { text: 'SET LOCAL enable_seqscan = off', values: [] },
        { text: `EXPLAIN (VERBOSE) ${text}`, values },
      ],
    });
    return result!.rows.map(([line]) => line).join('\n');
  }

  #request(query: string, said: Said, isCall = false): PlanRequest {
    return {
      catalog: this.catalog,
      settings: { allowsAggregates: false, allowsUnfiltered: false, ...said.settings },
      query: parseQuery(query, { isCall }),
      preferences: said.prefer ?? {},
      format: said.format ?? array,
    };
  }

  #write(relation: string, query: string, body: unknown, said: Said) {
    const prefer = { return: 'representation' as const, ...said.prefer };
    return {
      ...this.#request(query, { ...said, prefer }),
      relation: this.#relation(relation),
      body: toBody(body),
    };
  }

  #relation(name: string): Relation {
    return this.catalog.findRelation('shop', name)!;
  }

  async #carryOut(plan: Plan, { role = 'none' }: Said, after?: string): Promise<Answer> {
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

/** What the parser of bodies makes of a value, or of JSON as it is. */
function toBody(value: unknown): Body {
  const json = typeof value === 'string' ? value : JSON.stringify(value);
  const parsed = JSON.parse(json) as object | object[];
  const objects = Array.isArray(parsed) ? parsed : [parsed];
  return { json, isArray: Array.isArray(parsed), keys: Object.keys(objects[0] ?? {}), count: objects.length };
}

const objectOf = (value: unknown): { object?: Body } =>
  typeof value === 'object' && value !== null ? { object: toBody(value) } : {};
