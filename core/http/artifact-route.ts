import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EngineApi } from '../api/engine-api.ts';
import { apiPrefix, readArtifact, type ArtifactPart, type CallArtifactBytes } from '../contract/transport.ts';

type ArtifactRequest = FastifyRequest<{ Params: { name: string; dagRunId: string; '*': string } }>;
/**
 * Adds the artifact download `GET /dag-runs/{name}/{dagRunId}/artifacts/{artifact}`, with unescaped slashes in the
 * name. Reads with `runs.artifactBytes`, so that its permissions and errors apply, with backpressure. Always a
 * download, never displayed as a page of this server, because steps can write untrusted content.
 */
export function addArtifactRoute(app: FastifyInstance, api: EngineApi): void {
  app.route<{ Params: { name: string; dagRunId: string; '*': string } }>({
    method: ['GET', 'HEAD'],
    url: `${apiPrefix}/dag-runs/:name/:dagRunId/artifacts/*`,
    handler: (request, reply) => sendArtifact(api, request, reply),
  });
}

async function sendArtifact(
  api: EngineApi,
  request: ArtifactRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { name, dagRunId, '*': artifact } = request.params;
  const address = { name, dagRunId, artifact };
  const head = await api.call('runs.artifactBytes', { ...address, length: 1 }, request.caller);
  const { range: rangeHeader, 'if-range': condition } = request.headers;
  const etag = `"${head.mark}"`;
  const holds = condition === undefined || condition === etag;
  const range = holds ? readByteRange(rangeHeader, head.size) : undefined;
  if (range === 'beyond')
    return reply
      .code(416)
      .header('content-range', `bytes */${head.size}`)
      .send({
        code: 'bad_request',
        message: `Artifact ${artifact} is ${head.size} bytes. The requested range starts beyond the end.`,
      });
  void reply.headers({
    'content-type': 'application/octet-stream',
    'content-disposition': formatFile(artifact),
    'accept-ranges': 'bytes',
    'last-modified': new Date(head.at).toUTCString(),
    etag,
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const { from, to } = range ?? { from: 0, to: head.size };
  void reply.code(range === undefined ? 200 : 206).header('content-length', to - from);
  if (range !== undefined) void reply.header('content-range', `bytes ${from}-${to - 1}/${head.size}`);
  if (request.method === 'HEAD') return reply.send();
  const call: CallArtifactBytes = (input) => api.call('runs.artifactBytes', input, request.caller);
  return reply.send(Readable.from(decode(readArtifact(call, address, { from, to, known: head.mark }))));
}

async function* decode(chunks: AsyncIterable<ArtifactPart>): AsyncGenerator<Buffer> {
  for await (const { data } of chunks) yield Buffer.from(data, 'base64');
}

/** Returns the Content-Disposition of the last path segment (RFC 6266), with an ASCII fallback. */
function formatFile(artifact: string): string {
  const name = artifact.slice(artifact.lastIndexOf('/') + 1);
  const plain = name.replaceAll(/[^\w. -]/g, '_');
  const encodedName = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodedName}`;
}

/** Bytes from `from` (inclusive) to `to` (exclusive). */
interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Parses a `Range` header (RFC 9110, 14.2): `bytes=100-`, `bytes=0-99`, `bytes=-50`. Undefined for the whole content,
 * which is the correct response to several or invalid ranges; `beyond` if the range starts after the end.
 */
function readByteRange(field: string | undefined, size: number): ByteRange | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(field ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (last !== '' && first !== '' && Number(last) < Number(first)) return undefined;
  return from < to ? { from, to } : 'beyond';
}
