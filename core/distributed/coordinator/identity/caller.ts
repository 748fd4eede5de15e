import type { FastifyRequest } from 'fastify';
import type { Labels, WorkerCredential } from '../../ports.ts';

/** Who wants to join, and on whose word. */
export interface Joiner {
  readonly id: string;
  /** Of its token: they win over what it says of itself. */
  readonly labels: Labels;
  /** To be kept with the worker, when it has a new one. */
  readonly credential?: WorkerCredential;
  /** The worker key to be told, with it. */
  readonly key?: string;
}

/** How workers prove who they are. Every refusal is `unauthorized` or `forbidden`, with a sentence that says what to do. */
export interface Identity {
  /** @param id what the worker says its id is */
  join(request: FastifyRequest, id: string): Promise<Joiner>;
  /**
   * The id of the worker that sends a request.
   * @param id as its header says; absent when there is none
   */
  recognize(request: FastifyRequest, id: string | undefined): Promise<string>;
}
