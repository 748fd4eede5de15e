import Type, { type Static } from 'typebox';
import { defineOperation } from './operation.ts';
import { literals, Timestamp } from './runs/run-views.ts';

export const GatewayStatusView = Type.Object({
  isEnabled: Type.Boolean(),
  kind: literals(['embedded', 'server'], {
    description: 'The database of this home, or a PostgreSQL server',
  }),
  state: literals(['closed', 'opening', 'open', 'failed'], {
    description: 'Of the database; it is opened by its first use',
  }),
  version: Type.Optional(Type.String({ description: 'Of PostgreSQL, once it is known' })),
  place: Type.String({ description: 'Folder, or address without a password' }),
  failure: Type.Optional(Type.String({ description: 'Why it could not be opened' })),
  schemas: Type.Array(Type.String(), { description: 'Exposed ones; the first is the default' }),
  needsToken: Type.Boolean({ description: 'Requests without a token are refused' }),
  catalogReadAt: Type.Optional(Timestamp),
  catalogFailure: Type.Optional(
    Type.String({ description: 'Why the catalog could not be reloaded; the last one is in use' }),
  ),
  isReading: Type.Boolean({ description: 'The catalog is being read; requests wait for it' }),
});
export type GatewayStatusView = Static<typeof GatewayStatusView>;

const Name = Type.Object({ schema: Type.String(), name: Type.String() });

export const GatewayColumnView = Type.Object({
  name: Type.String(),
  type: Type.String({ description: 'As PostgreSQL prints it' }),
  baseType: Type.String({ description: 'Below all domains' }),
  isNullable: Type.Boolean(),
  isGenerated: Type.Boolean({ description: 'Computed by the database: it may not be written' }),
  isKey: Type.Boolean({ description: 'Part of the primary key' }),
  default: Type.Optional(Type.String({ description: 'SQL of what is stored when nothing is given' })),
  comment: Type.Optional(Type.String()),
  domain: Type.Optional(Type.String({ description: 'The domain whose conversions present its values' })),
});
export type GatewayColumnView = Static<typeof GatewayColumnView>;

export const GatewayTableView = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  kind: literals(['table', 'view', 'materialized view', 'foreign table', 'partitioned table']),
  comment: Type.Optional(Type.String()),
  isInsertable: Type.Boolean(),
  isUpdatable: Type.Boolean(),
  isDeletable: Type.Boolean(),
  columns: Type.Array(GatewayColumnView),
  related: Type.Array(Type.String(), { description: 'Names that `select=` can embed' }),
});
export type GatewayTableView = Static<typeof GatewayTableView>;

export const GatewayFunctionView = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  comment: Type.Optional(Type.String()),
  parameters: Type.Array(
    Type.Object({ name: Type.String(), type: Type.String(), isRequired: Type.Boolean() }),
  ),
  result: Type.String({ description: 'Its type, `SETOF` included' }),
  isReadOnly: Type.Boolean({ description: 'It may be called by GET' }),
});
export type GatewayFunctionView = Static<typeof GatewayFunctionView>;

const conversion = (description: string) =>
  Type.Optional(Type.String({ description: `${description}: the function that converts` }));

export const GatewayDomainView = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  response: conversion('Domain to JSON, in responses'),
  filter: conversion('Text to domain, in filters'),
  body: conversion('JSON to domain, in bodies'),
  columns: Type.Array(Type.Object({ table: Name, column: Type.String() }), {
    description: 'Where it is used in exposed tables',
  }),
});
export type GatewayDomainView = Static<typeof GatewayDomainView>;

export const GatewayCatalogView = Type.Object({
  schemas: Type.Array(Type.String()),
  readAt: Timestamp,
  version: Type.String({ description: 'Of PostgreSQL' }),
  tables: Type.Array(GatewayTableView),
  functions: Type.Array(GatewayFunctionView),
  domains: Type.Array(GatewayDomainView, { description: 'Those that have conversions' }),
});
export type GatewayCatalogView = Static<typeof GatewayCatalogView>;

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const;
const Headers = Type.Record(Type.String(), Type.String(), { description: 'By name' });

/** The database gateway: how it is doing, what it shows, and a request to try. */
export const gatewayOperations = {
  'gateway.status': defineOperation({
    summary: 'Shows how the database gateway is doing; opens nothing',
    method: 'GET',
    path: '/gateway',
    input: Type.Object({}),
    output: GatewayStatusView,
    errors: [],
    role: 'viewer',
  }),
  'gateway.catalog': defineOperation({
    summary: 'Lists tables, functions and domains of the database gateway; opens its database first',
    method: 'GET',
    path: '/gateway/catalog',
    input: Type.Object({}),
    output: GatewayCatalogView,
    errors: ['not_found', 'unavailable'],
    role: 'operator',
  }),
  'gateway.reload': defineOperation({
    summary: 'Has the database gateway read anew what the database has',
    method: 'POST',
    path: '/gateway/reload',
    input: Type.Object({}),
    output: GatewayCatalogView,
    errors: ['not_found', 'unavailable'],
    role: 'operator',
  }),
  'gateway.request': defineOperation({
    summary: 'Sends a request to the database gateway, and shows what it answers',
    method: 'POST',
    path: '/gateway/requests',
    input: Type.Object({
      method: literals(methods, { description: 'As over HTTP' }),
      path: Type.String({ maxLength: 10_000, description: 'Behind `/gateway`, with the query' }),
      headers: Type.Optional(Headers),
      body: Type.Optional(Type.String({ description: 'As it would be sent' })),
    }),
    output: Type.Object({
      status: Type.Integer(),
      headers: Headers,
      body: Type.Optional(Type.String()),
      isCut: Type.Boolean({ description: 'The body was longer than what is shown' }),
      tookMs: Type.Number({ description: 'Milliseconds until the whole answer was there' }),
    }),
    errors: ['not_found', 'unavailable'],
    role: 'manager',
  }),
};
