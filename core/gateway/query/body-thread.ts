// A file of its own: the program of a worker thread.
import { parentPort } from 'node:worker_threads';
import { GatewayError } from '../gateway-error.ts';
import type { Body, CallBody } from './query.ts';
import { readBody, readCallBody } from './read-body.ts';

/** A body to parse, of a write or a function call. */
export interface BodyJob {
  readonly kind: 'write' | 'call';
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  readonly columns: readonly string[] | undefined;
}

/** Response of the thread. `isWhole`: the object is the whole text, which is sent only once. */
export type BodyResult =
  | { readonly kind: 'write'; readonly body: Body }
  | { readonly kind: 'call'; readonly body: CallBody; readonly isWhole: boolean }
  | { readonly kind: 'refused'; readonly refusal: BodyError };

type BodyError = Pick<GatewayError, 'status' | 'code' | 'message' | 'details' | 'hint'>;

function toResult({ kind, bytes, contentType, columns }: BodyJob): BodyResult {
  try {
    if (kind === 'write') return { kind, body: readBody(bytes, contentType, columns) };
    const body = readCallBody(bytes, contentType, columns);
    const { object } = body;
    if (object?.json !== body.text) return { kind, body, isWhole: false };
    return { kind, body: { ...body, object: { ...object, json: '' } }, isWhole: true };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { status, code, message, details, hint } = error;
    return { kind: 'refused', refusal: { status, code, message, details, hint } };
  }
}

parentPort?.on('message', (job: BodyJob) => parentPort?.postMessage(toResult(job)));
