import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { exitCodes } from '../../base/error-codes.ts';
import { AppError, formatFsError } from '../../base/errors.ts';
import type { ArtifactView } from '../../contract/run-steps.ts';
import { readArtifact } from '../../contract/transport.ts';
import { type RunRef, checkArtifactName } from '../../model/run.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../command-context.ts';
import { findRun } from '../arguments.ts';
import type { EngineClient } from '../host/engine-client.ts';
import { oneLine, formatTable, formatDateTime } from '../format.ts';
import { formatBytes } from '../../base/text.ts';

export interface ArtifactsInput extends ResultFormat {
  readonly dag: string;
  /** Files to save; empty lists all. */
  readonly names: readonly string[];
  readonly runId?: string;
  readonly all: boolean;
  /** Target directory, as typed. */
  readonly dir: string;
  readonly stdout: boolean;
}

/** Lists the artifacts of a run, saves them, or writes one to stdout. */
export function runArtifacts(context: CommandContext, input: ArtifactsInput): Promise<number> {
  assertOneArtifact(input);
  return withHost(context, async (host) => {
    const { name, dagRunId } = await findRun(context, host, { dag: input.dag, dagRunId: input.runId });
    const run = { name, dagRunId };
    const [first] = input.names;
    if (input.stdout && first !== undefined) return await writeArtifact(context, host, { run, name: first });
    const { artifacts } = await host.api.call('runs.artifacts', run, context.caller);
    if (!input.all && first === undefined) return await list(context, input, { run, artifacts });
    const names = input.all ? artifacts.map((artifact) => artifact.name) : input.names;
    return await save(context, host, input, { run, names });
  });
}

function assertOneArtifact({ names, all, stdout, format }: ArtifactsInput): void {
  const problem =
    stdout && names.length !== 1
      ? 'Option --stdout requires exactly one artifact name.'
      : stdout && format === 'json'
        ? 'Options --stdout and --format json cannot be used together.'
        : all && names.length > 0
          ? 'Option --all cannot be combined with artifact names.'
          : undefined;
  if (problem !== undefined) throw new AppError('bad_request', problem);
}

interface ListedArtifact {
  readonly run: RunRef;
  readonly artifacts: readonly ArtifactView[];
}

async function list(
  context: CommandContext,
  { format }: ArtifactsInput,
  { run, artifacts }: ListedArtifact,
): Promise<number> {
  if (format === 'json') await printJson(context, { ...run, artifacts });
  else if (artifacts.length === 0)
    await context.terminal.stderr.write(
      `Run ${run.dagRunId} of ${run.name} has no artifacts. Steps save artifacts with "outputFiles".\n`,
    );
  else await printLines(context, tabulate(artifacts));
  return exitCodes.success;
}

async function save(
  context: CommandContext,
  { api }: EngineClient,
  { dir, format }: ArtifactsInput,
  { run, names }: { readonly run: RunRef; readonly names: readonly string[] },
): Promise<number> {
  for (const name of names) {
    const file = await saveArtifact(readBytes(context, api, run, name), { cwd: context.cwd, dir, name });
    if (format === 'text') await context.terminal.stderr.write(`Saved ${oneLine(file)}\n`);
  }
  if (format === 'json') await printJson(context, { ...run, saved: names });
  return exitCodes.success;
}

async function writeArtifact(
  context: CommandContext,
  { api }: EngineClient,
  { run, name }: { readonly run: RunRef; readonly name: string },
): Promise<number> {
  const { stdout } = context.terminal;
  for await (const bytes of readBytes(context, api, run, name)) {
    if (stdout.closed) break;
    await stdout.write(bytes);
  }
  return exitCodes.success;
}

async function* readBytes(
  { caller }: CommandContext,
  api: EngineClient['api'],
  run: RunRef,
  artifact: string,
): AsyncGenerator<Buffer> {
  const chunks = readArtifact((input) => api.call('runs.artifactBytes', input, caller), { ...run, artifact });
  for await (const { data } of chunks) yield Buffer.from(data, 'base64');
}

const tabulate = (artifacts: readonly ArtifactView[]): string[] =>
  formatTable(
    ['ARTIFACT', 'SIZE', 'STEP', 'ATTEMPT', 'KEPT'],
    artifacts.map(({ name, bytes, step = '', attempt, at }) => [
      oneLine(name),
      formatBytes(bytes),
      oneLine(step),
      attempt === undefined ? '' : String(attempt),
      formatDateTime(new Date(at)),
    ]),
    ['SIZE', 'ATTEMPT'],
  );

/** Target directory of an artifact. */
export interface SaveTarget {
  /** Absolute; `dir` is relative to it. */
  readonly cwd: string;
  readonly dir: string;
  readonly name: string;
}

/**
 * Saves bytes in a directory under the artifact's name, atomically, and replaces an existing file. Throws
 * `bad_request` for a name outside the directory, which a server could send, and for a file that cannot be written.
 * @returns the path relative to the current directory
 */
async function saveArtifact(
  content: AsyncIterable<Uint8Array>,
  { cwd, dir, name }: SaveTarget,
): Promise<string> {
  const shown = path.join(dir, ...checkArtifactName(name).split('/'));
  const file = path.resolve(cwd, shown);
  const draft = `${file}.part-${process.pid}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(content, createWriteStream(draft));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    if (error instanceof AppError) throw error;
    throw new AppError('bad_request', `Cannot write ${shown}: ${formatFsError(error)}`, {
      cause: error,
    });
  }
  return shown;
}
