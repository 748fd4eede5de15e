import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { errorCodes, type ErrorCode } from '../../../../core/base/error-codes.ts';
import { operations, streams } from '../../../../core/contract/operations.ts';
import { prefixOf } from '../../../../core/contract/transport.ts';
import type { Operation } from '../../../../core/contract/operation.ts';
import { fuzzing, fuzzTimeoutMs } from '../../../rig/fuzzing.ts';
import type { TestEngine } from '../../../rig/test-engine.ts';
import { serveWithAuth } from '../auth-server.ts';
import {
  type ReplySummary,
  type HostileRequest,
  hostileRequests,
  readHomeState,
  sendRawRequest,
} from './hostile-input.ts';

const spec = 'steps: [{name: one, command: "true"}]';

/** Valid values of the prepared home, by field. */
const known: Readonly<Record<string, readonly string[]>> = {
  fileName: ['seed'],
  name: ['seed', 'other'],
  newFileName: ['renamed'],
  dagName: ['seed', 'overridden'],
  dagRunId: ['r1', 'latest', 'r2'],
  fromRunId: ['r1'],
  subRunId: ['r1'],
  step: ['one'],
  stepName: ['one'],
  spec: [spec, 'steps: [', ''],
  queue: ['seed', 'other'],
  params: ['A=1', ''],
  fromDate: ['2026-01-01'],
  toDate: ['1767225600'],
  duration: ['1h'],
  userId: ['nobody'],
  tokenId: ['none'],
  username: ['ada'],
  password: ['correct horse battery'],
  newPassword: ['correct horse staple'],
  cursor: ['MQ'],
  q: ['true'],
  id: ['g-001', 'p-001', 'g-087'],
};

interface Target {
  readonly engine: TestEngine;
  ask(request: HostileRequest, operation: Operation): Promise<ReplySummary>;
}

/** A real engine with a run that has ended, behind a real server, called by an admin, with time passing. */
async function openTarget(): Promise<Target> {
  const served = await serveWithAuth();
  const { engine } = served;
  engine.host.monitorResources();
  writeFileSync(path.join(engine.home, 'dags', 'seed.yaml'), spec);
  const source = { fileName: 'seed' };
  await engine.end(await engine.host.startRun({ source, trigger: 'api', dagRunId: 'r1' }));
  const { token } = await served.enter('root', 'admin');
  const beat = setInterval(() => engine.clock.advance(2), 2);
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]();
    clearInterval(beat);
  });
  const headers = { authorization: `Bearer ${token}` };
  const port = Number(new URL(served.url).port);
  const ask: Target['ask'] = ({ path: address, ...rest }, operation) =>
    sendRawRequest(port, { ...rest, path: prefixOf(operation) + address }, headers);
  return { engine, ask };
}

/** What is wrong with a response to any request; undefined when it is well-formed. */
function findServerError({ status, type, body }: ReplySummary, name = ''): string | undefined {
  if (status >= 500 || (status === 401 && !name.startsWith('auth.'))) return `status ${status}: ${body}`;
  if (status < 400) return undefined;
  if (type !== 'application/json; charset=utf-8') return `content type ${type}`;
  const { code, message, details, ...rest } = JSON.parse(body) as Record<string, unknown>;
  if (typeof code !== 'string' || !(code in errorCodes)) return `unknown code in ${body}`;
  if (errorCodes[code as ErrorCode].http !== status) return `${code} with status ${status}`;
  if (typeof message !== 'string' || message.trim() === '') return `no message in ${body}`;
  if (details !== undefined && (typeof details !== 'object' || details === null)) return `details in ${body}`;
  return Object.keys(rest).length === 0 ? undefined : `more than a refusal: ${body}`;
}

/** Deletions come last, so that the others have their targets; logging out would invalidate everything after it. */
const harm = (name: string, { method }: Operation): number =>
  name === 'auth.changePassword' || name === 'auth.logout'
    ? 3
    : method === 'DELETE'
      ? 2
      : Number(name === 'dags.rename');

const listed = Object.entries<Operation>(operations).toSorted(
  ([a, one], [b, other]) => harm(a, one) - harm(b, other),
);
/** @param share number of operations called */
const settings = (share: number): fc.Parameters<[HostileRequest]> => ({
  ...fuzzing(6, 5, share),
  endOnFailure: true,
});

// One engine for all of them: preparing it takes longer than sending all requests of an operation.
describe('hostile requests', { timeout: fuzzTimeoutMs }, () => {
  test('to an operation get a well-formed response, and change nothing when rejected', async () => {
    const { engine, ask } = await openTarget();
    for (const [name, operation] of listed) {
      if (name === 'auth.logout') continue;
      await fc.assert(
        fc.asyncProperty(hostileRequests(operation, known), async (request) => {
          const before = readHomeState(engine.home);
          const reply = await ask(request, operation);
          const fault = findServerError(reply, name);
          const isChanged = reply.status >= 400 && readHomeState(engine.home) !== before;
          expect({ name, fault, isChanged }).toEqual({ name, fault: undefined, isChanged: false });
        }),
        settings(listed.length),
      );
    }
    expect(({} as Record<string, unknown>)['role']).toBeUndefined();
    expect(engine.reports.filter((report) => report.includes('request failed'))).toEqual([]);
  });

  test('to a stream get a well-formed response', async () => {
    const { engine, ask } = await openTarget();
    for (const [name, stream] of Object.entries(streams)) {
      const operation: Operation = { ...stream, method: 'GET', output: stream.item };
      await fc.assert(
        fc.asyncProperty(hostileRequests(operation, known), async (request) => {
          expect({ name, fault: findServerError(await ask(request, operation)) }).toEqual({
            name,
            fault: undefined,
          });
        }),
        settings(Object.keys(streams).length),
      );
    }
    expect(engine.reports.filter((report) => report.includes('request failed'))).toEqual([]);
  });
});
