import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toIso } from '../../base/clock.ts';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import type { OperationInput } from '../../contract/operations.ts';
import { DatabaseUnavailable } from '../../store/sql/database.ts';
import { embeddedFolder } from '../../gateway/gateway-settings.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import type { LazyGateway, GatewayRequest } from '../../gateway/service/gateway-service.ts';
import type { OpenGateway } from '../../gateway/service/open-gateway.ts';
import type {
  GatewayCatalogView,
  GatewayColumnView,
  GatewayDomainView,
  GatewayFunctionView,
  GatewayTableView,
} from '../../contract/gateway.ts';
import type { Catalog, Column, QualifiedName, Relation, Routine } from '../../gateway/catalog/catalog.ts';
import type { HandlersFor } from './handlers.ts';

type GatewayOperation = 'gateway.status' | 'gateway.catalog' | 'gateway.reload' | 'gateway.request';

/** Maximum length of a shown response, in UTF-16 code units; clients of the gateway have no such limit. */
const maxBodyLength = 1_000_000;

/** Maximum length of path and headers, the same as the limit of Node.js for HTTP requests. */
const MAX_HEAD_LENGTH = 16_384;

/** Operations on the database gateway. */
export const gatewayHandlers: HandlersFor<GatewayOperation> = {
  async 'gateway.status'(_input, { gateway, paths }) {
    const { settings } = gateway;
    const { database, catalogs } = await gateway.open();
    const { kind, state, version, place, failure } = database.status();
    const readAt = catalogs.current?.readAt;
    const catalogFailure = catalogs.failure?.message;
    return {
      isEnabled: settings.isEnabled,
      kind,
      state,
      ...(version !== undefined && { version }),
      place,
      ...(failure !== undefined && { failure }),
      schemas: [...settings.schemas],
      needsToken: settings.jwtKey !== undefined && settings.anonymousRole === undefined,
      ...(readAt !== undefined && { catalogReadAt: toIso(readAt) }),
      ...(catalogFailure !== undefined && { catalogFailure }),
      isReading: catalogs.isReading,
      isUsed: settings.databaseUrl !== undefined || existsSync(join(embeddedFolder(paths), 'pgdata')),
    };
  },
  'gateway.catalog': async (_input, { gateway }) =>
    viewCatalog(await requireGateway(gateway, ({ catalogs }) => catalogs.get())),
  'gateway.reload': async (_input, { gateway }) =>
    viewCatalog(await requireGateway(gateway, ({ catalogs }) => catalogs.reload())),
  async 'gateway.request'(input, { gateway, clock }) {
    const request = toRequest(input);
    const began = clock.monotonic();
    const { status, headers, body } = await requireGateway(gateway, (opened) =>
      opened.gateway.handle(request),
    );
    const texts = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')] as const);
    return {
      status,
      headers: Object.fromEntries(texts),
      ...(body !== null && { body: body.slice(0, maxBodyLength) }),
      isCut: body !== null && body.length > maxBodyLength,
      tookMs: clock.monotonic() - began,
    };
  },
};

/** @throws AppError if the gateway is disabled or its database is unavailable */
export async function requireGateway<Answer>(
  gateway: LazyGateway,
  ask: (opened: OpenGateway) => Promise<Answer>,
): Promise<Answer> {
  if (!gateway.isEnabled)
    throw new AppError('not_found', 'The database gateway is disabled. Set gateway.enabled to true.');
  try {
    return await ask(await gateway.open());
  } catch (error) {
    if (error instanceof DatabaseUnavailable)
      throw new AppError('unavailable', `The gateway database is not available: ${error.message}`);
    if (error instanceof GatewayError)
      throw new AppError('unavailable', [error.message, error.details, error.hint].filter(Boolean).join(' '));
    throw error;
  }
}

/**
 * Builds a request as if it had come over HTTP from this machine: a caller with this role could do the same in a
 * workflow.
 */
function toRequest({ method, path, headers, body }: OperationInput<'gateway.request'>): GatewayRequest {
  const [pathname = '', ...query] = path.split('?');
  const headerEntries = Object.entries(headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const length = headerEntries.reduce((sum, [name, value]) => sum + name.length + value.length, path.length);
  if (length > MAX_HEAD_LENGTH)
    throw new AppError(
      'bad_request',
      `The path and headers have ${length} characters. The limit is ${MAX_HEAD_LENGTH}.`,
    );
  return {
    method,
    path: pathname.replace(/^\//, '') === '' ? [] : pathname.replace(/^\//, '').split('/').map(decode),
    query: query.join('?'),
    headers: Object.fromEntries(headerEntries),
    body: new TextEncoder().encode(body ?? ''),
    isLoopback: true,
    mount: '/gateway',
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw new AppError(
      'bad_request',
      `Invalid percent-encoding in path segment "${part}": ${getErrorMessage(error)}.`,
    );
  }
}

/** Converts a catalog to its view. */
const viewCatalog = (catalog: Catalog): GatewayCatalogView => ({
  schemas: [...catalog.schemas],
  readAt: toIso(catalog.readAt),
  version: catalog.serverVersion,
  tables: catalog.relations.map((relation) => viewTable(relation, catalog)),
  functions: catalog.routines.map(viewFunction),
  domains: viewDomains(catalog),
});

function viewTable(relation: Relation, catalog: Catalog): GatewayTableView {
  const { schema, name, kind, comment, isInsertable, isUpdatable, isDeletable } = relation;
  const related = catalog
    .relationshipsFrom(relation)
    .map(({ to, constraint, computedBy }) => (computedBy === undefined ? to.name : constraint));
  return {
    schema,
    name,
    kind,
    ...(comment !== null && { comment }),
    isInsertable,
    isUpdatable,
    isDeletable,
    columns: relation.columns.map((column) => viewColumn(column, relation.primaryKey)),
    related: [...new Set(related)],
  };
}

function viewColumn(column: Column, primaryKey: readonly string[]): GatewayColumnView {
  const { name, typeSql, baseTypeSql, isNullable, isGenerated, defaultSql, comment, representation } = column;
  return {
    name,
    type: typeSql,
    baseType: baseTypeSql,
    isNullable,
    isGenerated,
    isKey: primaryKey.includes(name),
    ...(defaultSql !== null && { default: defaultSql }),
    ...(comment !== null && { comment }),
    ...(representation !== undefined && { domain: formatName(representation.domain) }),
  };
}

const viewFunction = (routine: Routine): GatewayFunctionView => ({
  schema: routine.schema,
  name: routine.name,
  ...(routine.comment !== null && { comment: routine.comment }),
  parameters: routine.parameters.map(({ name, typeSql, isRequired }) => ({
    name,
    type: typeSql,
    isRequired,
  })),
  result: `${routine.isSet ? 'SETOF ' : ''}${routine.resultTypeSql}`,
  isReadOnly: routine.volatility !== 'volatile',
});

function viewDomains({ representations, relations }: Catalog): GatewayDomainView[] {
  return representations.map((representation) => {
    const { domain, response, filter, body } = representation;
    const columns = relations.flatMap(({ schema, name, columns: all }) =>
      all
        .filter((column) => column.representation === representation)
        .map((column) => ({ table: { schema, name }, column: column.name })),
    );
    return {
      schema: domain.schema,
      name: domain.name,
      ...(response !== undefined && { response: response.functionSql }),
      ...(filter !== undefined && { filter: filter.functionSql }),
      ...(body !== undefined && { body: body.functionSql }),
      columns,
    };
  });
}

const formatName = ({ schema, name }: QualifiedName): string => `${schema}.${name}`;
