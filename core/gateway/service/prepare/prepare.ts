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
  asked: ParsedRequest,
  { kind, name }: Exclude<Target, { readonly kind: 'root' }>,
  bodies: BodyReader,
): Promise<Prepared> {
  const { method, headers, body: bytes } = asked.request;
  const { columns } = asked.query;
  const job = { bytes, columns, contentType: headers['content-type'] };
  if (kind === 'routine') {
    return prepareCall(asked, name, method === 'POST' ? await bodies.readCallBody(job) : undefined);
  }
  if (method === 'GET' || method === 'HEAD') return prepareRead(asked, name);
  if (method === 'DELETE') return prepareDelete(asked, name);
  const body = await bodies.readBody(job);
  if (method === 'POST') return prepareInsert(asked, name, body);
  return method === 'PUT' ? preparePut(asked, name, body) : prepareUpdate(asked, name, body);
}
