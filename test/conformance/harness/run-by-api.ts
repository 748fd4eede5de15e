import { join, parse } from 'node:path';
import type { OutputOf } from '../../../core/contract/operation.ts';
import type { operations } from '../../../core/contract/operations.ts';
import type { DryRunView } from '../../../core/contract/runs/dry.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { RunRef } from '../../../core/model/run/run.ts';
import { formatParamText, parseParamTokens } from '../../../core/spec/params.ts';
import { accepted, isRefusal, type ApiRefusal, type ApiServer } from './api-server.ts';
import { fileNameOf, needsFile, runIdOf, type ConformanceCase } from './case-format.ts';
import type { CaseResult, Problem } from './case-result.ts';
import {
  clearGround,
  placeBase,
  placeFiles,
  readFilesBelow,
  readNewFiles,
  type Ground,
} from './place-case.ts';
import { toProblems } from './problems.ts';
import { describeEnded, restartByApi, runAgainByApi, type ApiAttempt } from './rerun-by-api.ts';
import { waitForFile } from './wait-for-file.ts';

type Validation = OutputOf<(typeof operations)['dags.validate']>;

/** A server that cases can be run on, one after the other: they find its folders empty. */
export interface ApiBench {
  readonly server: ApiServer;
  readonly ground: Ground;
}

/** Runs a case through the HTTP API: as a file of the home when it needs one, else as text. */
export async function runByApi(
  item: ConformanceCase,
  bench: ApiBench,
  signal: AbortSignal,
): Promise<CaseResult> {
  clearGround(bench.ground);
  placeBase(item, bench.ground);
  if (needsFile(item)) placeFiles(item, bench.ground);
  if ('accepted' in item.expect) return validate(item, bench);
  if ('runnable' in item.expect) return dryRun(item, bench);
  if ('rejected' in item.expect) return reject(item, bench);
  return start(item, bench, signal);
}

async function start(item: ConformanceCase, bench: ApiBench, signal: AbortSignal): Promise<CaseResult> {
  const { server, ground } = bench;
  const reply = await requestStart(item, bench);
  if (isRefusal(reply)) return { kind: 'refused', ...reply.refusal };
  const folder = needsFile(item) ? ground.dags : ground.cwd;
  if (item.stopWhen !== undefined) {
    await waitForFile(join(folder, item.stopWhen), signal);
    accepted(await server.post<RunRef>(`/dag-runs/${reply.name}/${reply.dagRunId}/stop`, {}));
  }
  const around = { item, bench, folder, run: reply, signal };
  const restarted = await restartByApi(around);
  const isToWait = 'status' in item.expect && item.expect.status === 'queued';
  if (isToWait) return describeWaiting(around);
  await server.waitForEnd(reply, signal);
  const warnings = 'warnings' in item.expect ? listWarnings(await askValidation(item, bench)) : undefined;
  return {
    ...(await describeEnded(around, reply)),
    ...(warnings === undefined ? {} : { warnings }),
    ...(item.afterwards === undefined
      ? {}
      : { afterwards: [...restarted, ...(await runAgainByApi(around))] }),
  };
}

/** A run that waits; its place is not left to the cases that follow. */
async function describeWaiting(around: ApiAttempt): Promise<CaseResult> {
  const result = await describeEnded(around, around.run);
  const { name, dagRunId } = around.run;
  accepted(await around.bench.server.post<RunRef>(`/dag-runs/${name}/${dagRunId}/dequeue`, {}));
  return result;
}

async function dryRun(item: ConformanceCase, { server, ground }: ApiBench): Promise<CaseResult> {
  const { name, params, spec, runSubstitutions } = item;
  const folder = needsFile(item) ? ground.dags : ground.cwd;
  const before = readFilesBelow(folder);
  const wish = {
    ...(params === undefined ? {} : { params: joinParams(params) }),
    ...(runSubstitutions === undefined ? {} : { runSubstitutions }),
  };
  const reply = needsFile(item)
    ? await server.post<DryRunView>(`/dags/${parse(fileNameOf(item)).name}/dry`, wish)
    : await server.post<DryRunView>('/dag-runs/dry', { spec, name, ...wish });
  if (isRefusal(reply)) return { kind: 'refused', ...reply.refusal };
  const places = { folder, home: ground.home, user: ground.user, runId: '' };
  return { kind: 'dry', view: reply, places, newFiles: readNewFiles(folder, before) };
}

function requestStart(item: ConformanceCase, { server }: ApiBench): Promise<RunRef | ApiRefusal> {
  const { name, params, spec } = item;
  const wish = { dagRunId: runIdOf(item), ...(params === undefined ? {} : { params: joinParams(params) }) };
  if (!needsFile(item))
    return server.post('/dag-runs', { spec, ...wish, ...(name === undefined ? {} : { name }) });
  const path = `/dags/${parse(fileNameOf(item)).name}/start`;
  return server.post(path, { ...wish, ...(name === undefined ? {} : { dagName: name }) });
}

async function reject(item: ConformanceCase, bench: ApiBench): Promise<CaseResult> {
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

/** Text that was sent has no file to name; elsewhere a missing name is a fault. */
const nameText = (item: ConformanceCase, problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => {
    const unnamed = problem.file === '' && !needsFile(item);
    return unnamed ? { ...problem, file: fileNameOf(item) } : problem;
  });

async function validate(item: ConformanceCase, bench: ApiBench): Promise<CaseResult> {
  const validation = await askValidation(item, bench);
  if (!validation.valid) throw new Error(`the API finds the file invalid: ${validation.errors.join(' | ')}`);
  return { kind: 'accepted', warnings: listWarnings(validation) };
}

const askValidation = async (item: ConformanceCase, { server }: ApiBench): Promise<Validation> =>
  accepted(await server.post<Validation>('/dags/validate', { spec: item.spec, name: fileNameOf(item) }));

const listWarnings = ({ diagnostics }: Validation) => toProblems(diagnostics, 'warning');

/** Words as one text with the same parameters. */
const joinParams = (params: string | readonly string[]): string =>
  typeof params === 'string' ? params : formatParamText(parseParamTokens(params));
