// A file of its own: the program of a worker thread.
import { serveRequests } from '../../process/threads/serve-requests.ts';
import type { SchemaRequest } from './param-schema.ts';
import { SchemaCheck } from './schema-check.ts';

/**
 * The schema of the last request. Parameters are usually validated right after the schema was compiled without them.
 */
let last: { readonly key: string; readonly check: SchemaCheck } | undefined;

serveRequests(async ({ schema, name, params }: SchemaRequest) => {
  const key = JSON.stringify([schema, name]);
  if (last?.key !== key) last = { key, check: await SchemaCheck.compile({ schema, name }) };
  return params && last.check.apply(params);
});
