import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { checkArtifactName } from '../../model/run.ts';
import { findRunFolder } from '../files/run-folders.ts';
import type { LogStream, TaskFiles } from '../../run/remote/task-files.ts';
import type { DispatchStore } from '../../store/types/dispatch.ts';
import { protocolRoot, type SizeResponse } from '../protocol.ts';
import type { Identity } from './identity.ts';
import { readInteger } from './read-messages.ts';
import { readWorker } from './work-routes.ts';

export interface FileDeps {
  readonly store: DispatchStore;
  readonly files: TaskFiles;
  readonly identity: Identity;
}

interface TaskParams {
  readonly key: string;
  readonly fence: string;
}

const task = `${protocolRoot}/tasks/:key/:fence`;

/**
 * Adds the routes for logs and artifacts. Only the worker that holds a task can access its files; requests contain no
 * paths.
 */
export function addFileRoutes(app: FastifyInstance, deps: FileDeps): void {
  void app.register(async (logs) => addLogRoute(logs, deps));
  void app.register(async (artifacts) => addArtifactRoutes(artifacts, deps));
}

function addLogRoute(app: FastifyInstance, deps: FileDeps): void {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.put<{ Params: TaskParams & { stream: string }; Querystring: { offset?: unknown } }>(
    `${task}/logs/:stream`,
    async (request, reply) => {
      const stream = readStream(request.params.stream);
      const offset = readInteger(request.query.offset, '"offset" in the URL');
      const { attemptDir } = await findHeld(request, deps);
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { size } = await deps.files.appendLog(attemptDir, stream, offset, bytes);
      return offset > size ? sendGap(reply, { size }, offset) : ({ size } satisfies SizeResponse);
    },
  );
}

function addArtifactRoutes(app: FastifyInstance, deps: FileDeps): void {
  // Streamed, because an artifact may be larger than memory.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.put<{ Params: TaskParams & { '*': string } }>(`${task}/artifacts/*`, async (request) => {
    const name = checkArtifactName(request.params['*']);
    const { runDir } = await findHeld(request, deps);
    const content = (request.body ?? request.raw) as Readable;
    return await deps.files.putArtifact(runDir, name, content);
  });
  app.get<{ Params: TaskParams & { '*': string } }>(`${task}/artifacts/*`, async (request, reply) => {
    const name = checkArtifactName(request.params['*']);
    const { runDir } = await findHeld(request, deps);
    const artifact = await deps.files.getArtifact(runDir, name);
    if (artifact === undefined) throw new AppError('not_found', `The run has no artifact "${name}".`);
    return reply
      .type('application/octet-stream')
      .header('content-length', artifact.bytes)
      .send(artifact.content);
  });
}

async function findHeld(
  request: FastifyRequest<{ Params: TaskParams }>,
  { store, identity }: FileDeps,
): Promise<{ readonly attemptDir: string; readonly runDir: string }> {
  const { key, fence: text } = request.params;
  const fence = readInteger(text, 'The fence in the URL');
  const held = await store.findHeld(await readWorker(request, identity), { key, fence });
  if (held === undefined)
    throw new AppError('gone', `Task ${key} is no longer assigned to this worker. Stop and discard it.`);
  return { attemptDir: held.attemptDir, runDir: findRunFolder(held.attemptDir, held.run) };
}

function readStream(name: string): LogStream {
  if (name === 'stdout' || name === 'stderr') return name;
  throw new AppError('not_found', `Unknown log ${JSON.stringify(name)}. Use stdout or stderr.`);
}

/** Returns the error with the log size from which the sender must continue. */
function sendGap(reply: FastifyReply, { size }: SizeResponse, offset: number): FastifyReply {
  const message = `The log is ${size} bytes long, so it cannot be continued at ${offset}. Resume at ${size}.`;
  return reply.code(409).send({ code: 'conflict', message, size });
}
