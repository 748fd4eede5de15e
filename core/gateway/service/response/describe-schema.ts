import type { GatewayDatabase } from '../../database/database.ts';
import { privilegesStatement, readPrivileges } from '../../openapi/access.ts';
import { describeOpenApi } from '../../openapi/describe-openapi.ts';
import { contentTypeOf } from '../../query/headers/formats.ts';
import type { ParsedRequest } from '../parsed-request.ts';
import type { TransactionContext } from '../execute.ts';
import type { GatewayResponse } from '../request.ts';

/** Handles the gateway root: describes the exposed schema in OpenAPI, as far as the requesting role may use it. */
export async function describeSchema(
  { request, catalog, schema, format }: ParsedRequest,
  database: GatewayDatabase,
  { before, session }: Pick<TransactionContext, 'before' | 'session'>,
): Promise<GatewayResponse> {
  const statements = [...before, privilegesStatement(schema)];
  const results = await database.transact({ ...session, isReadOnly: true, statements });
  const access = readPrivileges(results.at(-1)!);
  const document = describeOpenApi({ catalog, schema, access, mount: request.mount });
  return {
    status: 200,
    headers: { 'content-type': contentTypeOf(format) },
    body: request.method === 'HEAD' ? null : JSON.stringify(document),
  };
}
