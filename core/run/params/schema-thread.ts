// Own file: a program of its own, loaded in a thread.
import { serveRequests } from '../../threads/serve-requests.ts';
import type { SchemaRequest } from './param-schema.ts';
import { SchemaCheck } from './schema-check.ts';

serveRequests(async ({ schema, name, params }: SchemaRequest) => {
  const check = await SchemaCheck.compile({ schema, name });
  return params && check.apply(params);
});
