import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatementResult } from '../../store/sql/database.ts';
import type { EngineTransaction } from './engine-worker.ts';

/**
 * Messages to the process that has the embedded database open: one JSON value per line, over loopback. The first line
 * proves access to the token file.
 */
export interface HelloMessage {
  readonly token: string;
}

export type SharedRequest = { readonly id: number } & (
  | {
      readonly kind: 'transact';
      readonly transaction: Omit<EngineTransaction, 'keeps' | 'signal'>;
      readonly asks: boolean;
    }
  /** Response to `asking`. */
  | { readonly kind: 'decide'; readonly keeps: boolean }
  | { readonly kind: 'script'; readonly sql: string }
  /** Cancels the request with this number. */
  | { readonly kind: 'cancel' }
  | { readonly kind: 'listen' | 'unlisten'; readonly channel: string }
  | { readonly kind: 'dump' }
);

export type SharedMessage =
  | { readonly kind: 'welcome'; readonly version: string }
  | { readonly kind: 'notice'; readonly channel: string; readonly payload?: string | undefined }
  | { readonly kind: 'asking'; readonly id: number; readonly results: readonly StatementResult[] }
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly results: readonly StatementResult[];
      /** Bytes of a dump, in base64. */
      readonly bytes?: string;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: SharedFailure };

/** An error in transferable form. */
export type SharedFailure =
  | {
      readonly kind: 'database';
      readonly message: string;
      readonly code: string;
      readonly detail: string | null;
      readonly hint: string | null;
      readonly position: number | null;
    }
  | {
      readonly kind: 'unavailable';
      readonly message: string;
      readonly reason: 'unreachable' | 'busy' | 'closed' | 'lost';
    };

/** Address of the process that has the database open, in a file readable only by its user. */
export interface SharingEndpoint {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
}

/**
 * Calls back for each line of JSON. An invalid or overlong line closes the connection.
 * @param maxUnits maximum line length in UTF-16 code units; called for each chunk
 */
export function readLines(
  socket: Socket,
  onLine: (value: unknown) => void,
  maxUnits: () => number = () => Number.POSITIVE_INFINITY,
): void {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let units = 0;
  socket.on('data', (bytes: Buffer) => {
    const lines = decoder.write(bytes).split('\n');
    for (const [at, part] of lines.entries()) {
      pieces.push(part);
      units += part.length;
      if (units > maxUnits()) return void socket.destroy();
      if (at === lines.length - 1) break;
      const line = pieces.join('');
      pieces = [];
      units = 0;
      try {
        onLine(JSON.parse(line));
      } catch {
        socket.destroy();
        return;
      }
    }
  });
}

export const writeLine = (socket: Socket, value: object): boolean =>
  socket.write(`${JSON.stringify(value)}\n`);

const getFilePath = (folder: string): string => join(folder, 'holder.json');

/** Publishes the address for other processes of the same user. */
export function writeSharingEndpoint(folder: string, endpoint: SharingEndpoint): void {
  const draft = `${getFilePath(folder)}.${endpoint.pid}`;
  writeFileSync(draft, JSON.stringify(endpoint), { mode: 0o600 });
  renameSync(draft, getFilePath(folder));
}

/** Returns the published address; undefined if missing or invalid. */
export function readSharingEndpoint(folder: string): SharingEndpoint | undefined {
  try {
    const { port, token, pid } = JSON.parse(
      readFileSync(getFilePath(folder), 'utf8'),
    ) as Partial<SharingEndpoint>;
    if (typeof port !== 'number' || typeof token !== 'string' || typeof pid !== 'number') return undefined;
    return { port, token, pid };
  } catch {
    return undefined;
  }
}

export function removeSharingEndpoint(folder: string): void {
  rmSync(getFilePath(folder), { force: true });
}
