import type { FastifyRequest } from 'fastify';
import type { Labels, WorkerCredential } from '../../ports.ts';

/** An authenticated joining worker. */
export interface JoiningWorker {
  readonly id: string;
  /** Labels of its token, which override the worker's own. */
  readonly labels: Labels;
  /** Credential to store with the worker, if new. */
  readonly credential?: WorkerCredential;
  /** Worker key to return to the worker, if new. */
  readonly key?: string;
}

/** Authentication of workers. Every error is `unauthorized` or `forbidden`, with a message that says what to do. */
export interface Identity {
  /** @param id claimed worker id */
  join(request: FastifyRequest, id: string): Promise<JoiningWorker>;
  /**
   * Returns the id of the worker that sent a request.
   * @param id from the request header; absent if missing
   */
  authenticate(request: FastifyRequest, id: string | undefined): Promise<string>;
}
