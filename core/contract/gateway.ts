import Type, { type Static } from 'typebox';
import { defineOperation } from './operation.ts';
import { literals, Timestamp } from './run-views.ts';

export const GatewayStatusView = Type.Object({
  isEnabled: Type.Boolean(),
  kind: literals(['embedded', 'server'], {
    description: 'Embedded database of this home, or PostgreSQL server',
  }),
  state: literals(['closed', 'opening', 'open', 'failed'], {
    description: 'State of the database. The database is opened on first use.',
  }),
  version: Type.Optional(Type.String({ description: 'PostgreSQL version, once known' })),
  place: Type.String({ description: 'Folder, or URL without password' }),
  failure: Type.Optional(Type.String({ description: 'Reason that the database could not be opened' })),
  schemas: Type.Array(Type.String(), { description: 'Exposed schemas. The first is the default.' }),
  needsToken: Type.Boolean({ description: 'Whether requests without a token are rejected' }),
  catalogReadAt: Type.Optional(Timestamp),
  catalogFailure: Type.Optional(
    Type.String({
      description: 'Reason that the schema cache could not be reloaded. The previous cache stays in use.',
    }),
  ),
  isReading: Type.Boolean({
    description: 'Whether the schema cache is loading. Requests wait until it is ready.',
  }),
  isUsed: Type.Boolean({
    description: 'Whether a server is configured, or the embedded database has been created',
  }),
});
export type GatewayStatusView = Static<typeof GatewayStatusView>;

const Name = Type.Object({ schema: Type.String(), name: Type.String() });

export const GatewayColumnView = Type.Object({
  name: Type.String(),
  type: Type.String({ description: 'Type as printed by PostgreSQL' }),
  baseType: Type.String({ description: 'Base type, below all domains' }),
  isNullable: Type.Boolean(),
  isGenerated: Type.Boolean({ description: 'Whether the column is generated and cannot be written' }),
  isKey: Type.Boolean({ description: 'Whether the column is part of the primary key' }),
  default: Type.Optional(Type.String({ description: 'SQL default expression' })),
  comment: Type.Optional(Type.String()),
  domain: Type.Optional(Type.String({ description: 'Domain whose casts format the values' })),
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
  related: Type.Array(Type.String(), { description: 'Relations that `select=` can embed' }),
});
export type GatewayTableView = Static<typeof GatewayTableView>;

export const GatewayFunctionView = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  comment: Type.Optional(Type.String()),
  parameters: Type.Array(
    Type.Object({ name: Type.String(), type: Type.String(), isRequired: Type.Boolean() }),
  ),
  result: Type.String({ description: 'Return type, including `SETOF`' }),
  isReadOnly: Type.Boolean({ description: 'Whether the function can be called with GET' }),
});
export type GatewayFunctionView = Static<typeof GatewayFunctionView>;

const conversion = (description: string) =>
  Type.Optional(Type.String({ description: `${description}: conversion function` }));

export const GatewayDomainView = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  response: conversion('Domain to JSON, for responses'),
  filter: conversion('Text to domain, for filters'),
  body: conversion('JSON to domain, for request bodies'),
  columns: Type.Array(Type.Object({ table: Name, column: Type.String() }), {
    description: 'Uses in exposed tables',
  }),
});
export type GatewayDomainView = Static<typeof GatewayDomainView>;

export const GatewayCatalogView = Type.Object({
  schemas: Type.Array(Type.String()),
  readAt: Timestamp,
  version: Type.String({ description: 'PostgreSQL type' }),
  tables: Type.Array(GatewayTableView),
  functions: Type.Array(GatewayFunctionView),
  domains: Type.Array(GatewayDomainView, { description: 'Domains with casts' }),
});
export type GatewayCatalogView = Static<typeof GatewayCatalogView>;

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const;
const Headers = Type.Record(Type.String(), Type.String(), { description: 'By name' });

/** The database gateway: its status, its catalog, and a test request. */
export const gatewayOperations = {
  'gateway.status': defineOperation({
    summary: 'Get the status of the database gateway without opening its database',
    method: 'GET',
    path: '/gateway',
    input: Type.Object({}),
    output: GatewayStatusView,
    errors: [],
    role: 'viewer',
  }),
  'gateway.catalog': defineOperation({
    summary: 'List tables, functions and domains of the database gateway (opens the database)',
    method: 'GET',
    path: '/gateway/catalog',
    input: Type.Object({}),
    output: GatewayCatalogView,
    errors: ['not_found', 'unavailable'],
    role: 'operator',
    label: 'see the tables of the database gateway',
  }),
  'gateway.reload': defineOperation({
    summary: 'Reload the schema cache of the database gateway',
    method: 'POST',
    path: '/gateway/reload',
    input: Type.Object({}),
    output: GatewayCatalogView,
    errors: ['not_found', 'unavailable'],
    role: 'operator',
    label: 'reload the schema of the database gateway',
  }),
  'gateway.request': defineOperation({
    summary: 'Send a request to the database gateway and return the response',
    method: 'POST',
    path: '/gateway/requests',
    input: Type.Object({
      method: literals(methods, { description: 'HTTP method' }),
      path: Type.String({ maxLength: 10_000, description: 'Path after `/gateway`, with the query string' }),
      headers: Type.Optional(Headers),
      body: Type.Optional(Type.String({ description: 'Request body' })),
    }),
    output: Type.Object({
      status: Type.Integer(),
      headers: Headers,
      body: Type.Optional(Type.String()),
      isCut: Type.Boolean({ description: 'Whether the response body was truncated' }),
      tookMs: Type.Number({ description: 'Time to the complete response in milliseconds' }),
    }),
    errors: ['not_found', 'unavailable'],
    role: 'manager',
    label: 'send a request to the database gateway',
    audit: 'gateway-request',
  }),
};
