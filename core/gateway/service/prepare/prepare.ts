import type { Asked, Prepared } from '../asked.ts';
import { prepareCall } from './prepare-call.ts';
import { prepareRead } from './prepare-read.ts';
import { prepareDelete, prepareInsert, preparePut, prepareUpdate } from './prepare-write.ts';
import { readBody, readCallBody } from '../../query/body/read-body.ts';
import type { Target } from '../understand/target.ts';

/**
 * Plans a request.
 * @throws GatewayError for what is not there, not allowed, or cannot be understood
 */
export function prepare(asked: Asked, { kind, name }: Exclude<Target, { readonly kind: 'root' }>): Prepared {
  const { method, headers, body: bytes } = asked.request;
  const { columns } = asked.query;
  const type = headers['content-type'];
  if (kind === 'routine') {
    return prepareCall(asked, name, method === 'POST' ? readCallBody(bytes, type, columns) : undefined);
  }
  if (method === 'GET' || method === 'HEAD') return prepareRead(asked, name);
  if (method === 'DELETE') return prepareDelete(asked, name);
  const body = readBody(bytes, type, columns);
  if (method === 'POST') return prepareInsert(asked, name, body);
  return method === 'PUT' ? preparePut(asked, name, body) : prepareUpdate(asked, name, body);
}
