import type { ParsedRequest, Prepared } from '../parsed-request.ts';
import { prepareCall } from './prepare-call.ts';
import { prepareRead } from './prepare-read.ts';
import { prepareDelete, prepareInsert, preparePut, prepareUpdate } from './prepare-write.ts';
import type { BodyReader } from '../../query/body/body-reader.ts';
import type { Target } from '../parse/target.ts';

/**
 * Plans a request.
 * @throws GatewayError for a missing object, missing permission, or invalid request
 */
export async function prepare(
  parsed: ParsedRequest,
  { kind, name }: Exclude<Target, { readonly kind: 'root' }>,
  bodies: BodyReader,
): Promise<Prepared> {
  const { method, headers, body: bytes } = parsed.request;
  const { columns } = parsed.query;
  const job = { bytes, columns, contentType: headers['content-type'] };
  if (kind === 'routine') {
    return prepareCall(parsed, name, method === 'POST' ? await bodies.readCallBody(job) : undefined);
  }
  if (method === 'GET' || method === 'HEAD') return prepareRead(parsed, name);
  if (method === 'DELETE') return prepareDelete(parsed, name);
  const body = await bodies.readBody(job);
  if (method === 'POST') return prepareInsert(parsed, name, body);
  return method === 'PUT' ? preparePut(parsed, name, body) : prepareUpdate(parsed, name, body);
}
