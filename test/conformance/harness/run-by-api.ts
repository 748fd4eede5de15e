import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ErrorBody } from '../../../core/base/errors.ts';
import { spawnEngine } from './engine-command.ts';
import {
  type CaseResult,
  type CaseFolders,
  type Problem,
  type RanResult,
  type RunResult,
  type StepResult,
  clearCaseFolders,
  writeBaseConfig,
  writeCaseFiles,
  writeTexts,
  readFilesBelow,
  readNewFiles,
  toProblems,
} from './case-result.ts';
import type { OutputOf } from '../../../core/contract/operation.ts';
import type { operations } from '../../../core/contract/operations.ts';
import type { RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { join, parse } from 'node:path';
import { deepStrictEqual } from 'node:assert';
import type { RerunPlanView } from '../../../core/contract/runs.ts';
import { type ConformanceCase, type Rerun, getFileName, needsFile, newRunIdOf, runIdOf } from './cases.ts';
import type { DryRunView } from '../../../core/contract/dry.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { formatParamText, parseParamTokens } from '../../../core/spec/params.ts';

/** An error of the API. */
interface ApiFailure {
  readonly httpStatus: number;
  readonly refusal: ErrorBody;
}

/** The API of a real `engine server` process on a free port. */
export class ApiServer {
  readonly #child: ChildProcess;
  readonly #url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  static async start(ground: CaseFolders, environment: Readonly<Record<string, string>>): Promise<ApiServer> {
    const child = spawnEngine(ground, ['server', '--port', '0'], environment);
    child.stderr?.resume();
    for await (const line of createInterface({ input: child.stdout! })) {
      const [url] = /http:\S+/.exec(line) ?? [];
      if (url !== undefined) return new ApiServer(child, `${url}/api/v2`);
    }
    throw new Error(`engine server ended with exit code ${child.exitCode} before it was ready`);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }

  get<Reply>(path: string): Promise<Reply | ApiFailure> {
    return this.#ask(path, {});
  }

  post<Reply>(path: string, body: object): Promise<Reply | ApiFailure> {
    const headers = { 'content-type': 'application/json' };
    return this.#ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /**
   * Resolves when the event stream reports the end of the run.
   * @param after number of an event: only a later end counts
   */
  async waitForEnd(
    run: { readonly name: string; readonly dagRunId: string },
    signal: AbortSignal,
    after = '0',
  ): Promise<void> {
    const query = new URLSearchParams({ ...run, after });
    const closing = new AbortController();
    const reply = await fetch(`${this.#url}/events?${query}`, {
      signal: AbortSignal.any([signal, closing.signal]),
    });
    let text = '';
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes('"type":"run.finished"')) break;
    }
    closing.abort();
  }

  async #ask<Reply>(path: string, request: RequestInit): Promise<Reply | ApiFailure> {
    const reply = await fetch(`${this.#url}${path}`, request);
    const body: unknown = await reply.json();
    return reply.ok ? (body as Reply) : { httpStatus: reply.status, refusal: body as ErrorBody };
  }
}

const isRefusal = (reply: object): reply is ApiFailure => 'httpStatus' in reply;

/** The response of a request that must succeed. */
function accepted<Reply extends object>(reply: Reply | ApiFailure): Reply {
  if (!isRefusal(reply)) return reply;
  throw new Error(`the API refused: ${reply.httpStatus} ${JSON.stringify(reply.refusal)}`);
}

type LogBytes = OutputOf<(typeof operations)['logs.bytes']>;

/** A run as the API shows it: detail, logs, and its sub-runs. */
async function readRun(server: ApiServer, run: RunRef): Promise<RunResult> {
  const reply = await server.get<RunDetailView>(pathOf(run));
  if (isRefusal(reply) && reply.refusal.code === 'not_found') return neverCreated(run);
  const detail = accepted(reply);
  const readAll = (steps: readonly StepRunView[]): Promise<StepResult[]> =>
    Promise.all(steps.map((step) => readStep(server, run, step)));
  return {
    name: detail.name,
    dagRunId: detail.dagRunId,
    status: detail.status,
    ...(detail.error === undefined ? {} : { error: detail.error }),
    params: detail.params.map(({ name, value }) => `${name}=${value}`),
    outputs: detail.outputs,
    steps: await readAll(detail.steps),
    handlers: await readAll(detail.handlers),
  };
}

async function readStep(server: ApiServer, run: RunRef, step: StepRunView): Promise<StepResult> {
  const {
    name,
    status,
    exitCode = null,
    signal,
    error,
    attempts,
    startedAt = null,
    finishedAt = null,
  } = step;
  return {
    name,
    status,
    exitCode,
    ...(signal === undefined ? {} : { signal }),
    attempts: attempts.length,
    ...(error === undefined ? {} : { error }),
    startedAt,
    finishedAt,
    stdout: await readLog(server, run, { step, stream: 'stdout' }),
    stderr: await readLog(server, run, { step, stream: 'stderr' }),
    runs: await Promise.all(step.subRuns.map((subRun) => readRun(server, subRun))),
  };
}

async function readLog(
  server: ApiServer,
  run: RunRef,
  { step, stream }: { readonly step: StepRunView; readonly stream: 'stdout' | 'stderr' },
): Promise<string> {
  if (step.attempts.length === 0) return '';
  const query = new URLSearchParams({ section: step.section, stream, length: '1048576' });
  const path = `${pathOf(run)}/steps/${encodeURIComponent(step.name)}/log/bytes?${query}`;
  const reply = await server.get<LogBytes>(path);
  // A step that never started has no log.
  if (isRefusal(reply) && reply.refusal.code === 'not_found') return '';
  return Buffer.from(accepted(reply).data, 'base64').toString('utf8');
}

const pathOf = ({ name, dagRunId }: RunRef): string => `/dag-runs/${name}/${dagRunId}`;

/** Recorded with its parent, which ended before it was created. */
const neverCreated = (run: RunRef): RunResult => ({
  ...run,
  status: 'not_started',
  params: [],
  outputs: {},
  steps: [],
  handlers: [],
});

/** Resolves once the file exists; rejects when the signal aborts. */
export async function waitForFile(file: string, signal: AbortSignal): Promise<void> {
  while (!existsSync(file)) await pause(5, undefined, { signal });
}

/** A case whose run was started through the API. */
interface ApiAttempt {
  readonly item: ConformanceCase;
  readonly bench: { readonly server: ApiServer; readonly ground: CaseFolders };
  /** The workflow's folder. */
  readonly folder: string;
  readonly run: RunRef;
  readonly signal: AbortSignal;
}

/** A run that has finished, or waits. */
async function readExitError({ bench, folder }: ApiAttempt, run: RunRef): Promise<RanResult> {
  const { server, ground } = bench;
  return {
    kind: 'ran',
    run: await readRun(server, run),
    paths: { folder, home: ground.home, user: ground.user, runId: run.dagRunId },
    files: readFilesBelow(folder),
  };
}

/** Restarts the active run, if the case says so. */
async function restartByApi(attempt: ApiAttempt): Promise<CaseResult[]> {
  const { item, bench, folder, run, signal } = attempt;
  const file = item.afterwards?.[0]?.restartWhen;
  if (file === undefined) return [];
  await waitForFile(join(folder, file), signal);
  return [await awaitRun(attempt, await bench.server.post<RunRef>(`${runPathOf(run)}/restart`, {}), '0')];
}

/** Results of the entries of `afterwards` that need a finished run. */
async function runAgainByApi(attempt: ApiAttempt): Promise<CaseResult[]> {
  const { item, bench, folder, run } = attempt;
  const results: CaseResult[] = [];
  for (const [index, rerun] of (item.afterwards ?? []).entries()) {
    if (rerun.restartWhen !== undefined) continue;
    writeTexts(rerun.files, folder);
    if (rerun.retry !== undefined) results.push(await retry(attempt, rerun.retry));
    else {
      const { name } = rerun.startAgain!;
      const options = { dagRunId: newRunIdOf(item, index), ...(name === undefined ? {} : { dagName: name }) };
      const reply = await bench.server.post<RunRef>(`${runPathOf(run)}/reschedule`, options);
      results.push(await awaitRun(attempt, reply, '0'));
    }
  }
  return results;
}

/** The announced plan must equal the executed one. */
async function retry(
  attempt: ApiAttempt,
  { step, downstream }: NonNullable<Rerun['retry']>,
): Promise<CaseResult> {
  const { server } = attempt.bench;
  const { run } = attempt;
  const options = {
    ...(step === undefined ? {} : { stepName: step }),
    ...(downstream === undefined ? {} : { downstream }),
  };
  const query = new URLSearchParams(Object.entries(options).map(([key, value]) => [key, String(value)]));
  const preview = await server.get<RerunPlanView>(`${runPathOf(run)}/retry-plan?${query}`);
  const before = await lastEvent(server, run);
  const reply = await server.post<RunRef & { plan: RerunPlanView }>(`${runPathOf(run)}/retry`, options);
  const result = await awaitRun(attempt, reply, before);
  if (isRefusal(reply) || result.kind !== 'ran') return result;
  deepStrictEqual(reply.plan, preview, 'the plan of retry-plan');
  return { ...result, plan: reply.plan };
}

async function lastEvent(server: ApiServer, run: RunRef): Promise<string> {
  const detail = await server.get<OutputOf<(typeof operations)['runs.get']>>(runPathOf(run));
  return isRefusal(detail) ? '0' : String(detail.lastEventId);
}

/** @param after the event after which to wait for the end of the run */
async function awaitRun(attempt: ApiAttempt, reply: RunRef | ApiFailure, after: string): Promise<CaseResult> {
  if (isRefusal(reply)) return { kind: 'refused', ...reply.refusal };
  const { name, dagRunId } = reply;
  await attempt.bench.server.waitForEnd({ name, dagRunId }, attempt.signal, after);
  return readExitError(attempt, { name, dagRunId });
}

const runPathOf = ({ name, dagRunId }: RunRef): string => `/dag-runs/${name}/${dagRunId}`;

type Validation = OutputOf<(typeof operations)['dags.validate']>;

/** A server that runs cases one after another in clean folders. */
export interface ApiTestServer {
  readonly server: ApiServer;
  readonly ground: CaseFolders;
}

/** Runs a case through the HTTP API: as a file of the home when it needs one, otherwise as text. */
export async function runByApi(
  item: ConformanceCase,
  bench: ApiTestServer,
  signal: AbortSignal,
): Promise<CaseResult> {
  clearCaseFolders(bench.ground);
  writeBaseConfig(item, bench.ground);
  if (needsFile(item)) writeCaseFiles(item, bench.ground);
  if ('accepted' in item.expect) return validate(item, bench);
  if ('runnable' in item.expect) return dryRun(item, bench);
  if ('rejected' in item.expect) return reject(item, bench);
  return start(item, bench, signal);
}

async function start(item: ConformanceCase, bench: ApiTestServer, signal: AbortSignal): Promise<CaseResult> {
  const { server, ground } = bench;
  const reply = await requestStart(item, bench);
  if (isRefusal(reply)) return { kind: 'refused', ...reply.refusal };
  const folder = needsFile(item) ? ground.dags : ground.cwd;
  if (item.stopWhen !== undefined) {
    await waitForFile(join(folder, item.stopWhen), signal);
    accepted(await server.post<RunRef>(`/dag-runs/${reply.name}/${reply.dagRunId}/stop`, {}));
  }
  const apiAttempt = { item, bench, folder, run: reply, signal };
  const restarted = await restartByApi(apiAttempt);
  const isToWait = 'status' in item.expect && item.expect.status === 'queued';
  if (isToWait) return describeWaiting(apiAttempt);
  await server.waitForEnd(reply, signal);
  const warnings = 'warnings' in item.expect ? listWarnings(await askValidation(item, bench)) : undefined;
  return {
    ...(await readExitError(apiAttempt, reply)),
    ...(warnings === undefined ? {} : { warnings }),
    ...(item.afterwards === undefined
      ? {}
      : { afterwards: [...restarted, ...(await runAgainByApi(apiAttempt))] }),
  };
}

/** A queued run; its slot is not left to the following cases. */
async function describeWaiting(apiAttempt: ApiAttempt): Promise<CaseResult> {
  const result = await readExitError(apiAttempt, apiAttempt.run);
  const { name, dagRunId } = apiAttempt.run;
  accepted(await apiAttempt.bench.server.post<RunRef>(`/dag-runs/${name}/${dagRunId}/dequeue`, {}));
  return result;
}

async function dryRun(item: ConformanceCase, { server, ground }: ApiTestServer): Promise<CaseResult> {
  const { name, params, spec, runSubstitutions } = item;
  const folder = needsFile(item) ? ground.dags : ground.cwd;
  const before = readFilesBelow(folder);
  const options = {
    ...(params === undefined ? {} : { params: joinParams(params) }),
    ...(runSubstitutions === undefined ? {} : { runSubstitutions }),
  };
  const reply = needsFile(item)
    ? await server.post<DryRunView>(`/dags/${parse(getFileName(item)).name}/dry`, options)
    : await server.post<DryRunView>('/dag-runs/dry', { spec, name, ...options });
  if (isRefusal(reply)) return { kind: 'refused', ...reply.refusal };
  const paths = { folder, home: ground.home, user: ground.user, runId: '' };
  return { kind: 'dry', view: reply, paths, newFiles: readNewFiles(folder, before) };
}

function requestStart(item: ConformanceCase, { server }: ApiTestServer): Promise<RunRef | ApiFailure> {
  const { name, params, spec } = item;
  const options = {
    dagRunId: runIdOf(item),
    ...(params === undefined ? {} : { params: joinParams(params) }),
  };
  if (!needsFile(item))
    return server.post('/dag-runs', { spec, ...options, ...(name === undefined ? {} : { name }) });
  const path = `/dags/${parse(getFileName(item)).name}/start`;
  return server.post(path, { ...options, ...(name === undefined ? {} : { dagName: name }) });
}

async function reject(item: ConformanceCase, bench: ApiTestServer): Promise<CaseResult> {
  const validation = await askValidation(item, bench);
  if (validation.valid) return validate(item, bench);
  const reply = await requestStart(item, bench);
  const listed = isRefusal(reply) ? reply.refusal.details?.['diagnostics'] : undefined;
  return {
    kind: 'rejected',
    validation: toProblems(validation.diagnostics, 'error'),
    warnings: listWarnings(validation),
    start: nameText(item, toProblems((listed ?? []) as unknown as Diagnostic[], 'error')),
  };
}

/** Text has no file name; elsewhere a missing name is an error. */
const nameText = (item: ConformanceCase, problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => {
    const unnamed = problem.file === '' && !needsFile(item);
    return unnamed ? { ...problem, file: getFileName(item) } : problem;
  });

async function validate(item: ConformanceCase, bench: ApiTestServer): Promise<CaseResult> {
  const validation = await askValidation(item, bench);
  if (!validation.valid) throw new Error(`the API finds the file invalid: ${validation.errors.join(' | ')}`);
  return { kind: 'accepted', warnings: listWarnings(validation) };
}

const askValidation = async (item: ConformanceCase, { server }: ApiTestServer): Promise<Validation> =>
  accepted(await server.post<Validation>('/dags/validate', { spec: item.spec, name: getFileName(item) }));

const listWarnings = ({ diagnostics }: Validation) => toProblems(diagnostics, 'warning');

/** Arguments as one text with the same parameters. */
const joinParams = (params: string | readonly string[]): string =>
  typeof params === 'string' ? params : formatParamText(parseParamTokens(params));
