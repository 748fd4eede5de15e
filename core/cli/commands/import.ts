import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pluralize } from '../../base/text.ts';
import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { importCrontab } from '../../edit/import/crontab.ts';
import type { ImportedWorkflow, ImportResult } from '../../edit/import/imported-workflow.ts';
import { createMailRules } from '../../edit/import/mail-rules.ts';
import { importMakefile } from '../../edit/import/import-makefile.ts';
import { importShellScript } from '../../edit/import/shell-script.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../command-context.ts';

export interface ImportInput {
  readonly kind: 'crontab' | 'script' | 'makefile';
  /** Path; `-` for stdin. */
  readonly file: string;
  /** For crontabs: whether lines have a user column. Default: auto-detected. */
  readonly system?: boolean;
  /** For crontabs: start jobs of the same minute one after the other. */
  readonly spread?: boolean;
  /** For scripts: one step per section. */
  readonly split?: boolean;
  /** For makefiles. */
  readonly target?: string;
  /** Workflow name, if there is only one. */
  readonly name?: string;
  /** Show the workflows without creating them. */
  readonly dryRun: boolean;
  readonly format: OutputFormat;
}

/** Maximum file size in bytes, the same as in the UI. */
const maxBytes = 2_000_000;

/** A workflow, with the error if it could not be created. */
interface Outcome {
  readonly workflow: ImportedWorkflow;
  readonly error?: AppError;
}

/** Creates workflows from a crontab, a shell script or a makefile. Exit code 1 if one could not be created. */
export async function runImport(context: CommandContext, input: ImportInput): Promise<number> {
  const source = await readInput(context, input.file);
  const result = convert(source, input);
  if (!result.ok) throw new AppError('bad_request', result.reason);
  const workflows = rename(result.workflows, input.name);
  const notes = [...result.notes, ...(result.collisions ?? [])];
  const outcomes = input.dryRun
    ? workflows.map((workflow): Outcome => ({ workflow }))
    : await create(context, workflows);
  const cronLines = listCronLines(outcomes, source);
  if (input.format === 'json') await printJson(context, { ...toJson(outcomes, notes, input), cronLines });
  else await show(context, outcomes, notes, input);
  if (input.format === 'text' && !input.dryRun) await showCronLines(context, cronLines);
  return outcomes.some(({ error }) => error !== undefined) ? exitCodes.runFailed : exitCodes.success;
}

async function readInput({ cwd }: CommandContext, file: string): Promise<string> {
  const bytes = file === '-' ? await readStdin() : readBytes(path.resolve(cwd, file), file);
  if (bytes.length > maxBytes)
    throw new AppError('bad_request', `${file} is ${bytes.length} bytes. The limit is ${maxBytes} bytes.`);
  return bytes.toString('utf8');
}

function readBytes(file: string, shown: string): Buffer {
  try {
    if (statSync(file).size > maxBytes) return Buffer.alloc(maxBytes + 1);
    return readFileSync(file);
  } catch (error) {
    throw new AppError('not_found', `Cannot read ${shown}: ${(error as NodeJS.ErrnoException).code}`, {
      cause: error,
    });
  }
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(part);
    size += part.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

interface CronLine {
  readonly line: number;
  readonly text: string;
}

/** The lines of the imported jobs, which cron still runs. */
function listCronLines(outcomes: readonly Outcome[], source: string): CronLine[] {
  const lines = source.split(/\r?\n/);
  return outcomes.flatMap(({ workflow: { job }, error }) =>
    job === undefined || error !== undefined ? [] : [{ line: job.line, text: lines[job.line - 1]!.trim() }],
  );
}

async function showCronLines({ terminal }: CommandContext, lines: readonly CronLine[]): Promise<void> {
  if (lines.length === 0) return;
  await terminal.stderr.write('Cron still runs these lines, too. Comment them out with "crontab -e":\n');
  for (const { line, text } of lines) await terminal.stderr.write(`  ${line}: ${text}\n`);
  await terminal.stderr.write('List the workflows with "engine dags --tag cron".\n');
}

function convert(text: string, { kind, file, system, split, target, spread }: ImportInput): ImportResult {
  switch (kind) {
    case 'crontab':
      return importCrontab(text, system, {
        group: file === '-' ? 'crontab' : path.parse(file).name,
        spread,
      });
    case 'script':
      return importShellScript({
        fileName: file === '-' ? 'script' : path.basename(file),
        script: text,
        split,
      });
    case 'makefile':
      return importMakefile(target === undefined ? { text } : { text, target });
  }
}

function rename(
  workflows: readonly ImportedWorkflow[],
  name: string | undefined,
): readonly ImportedWorkflow[] {
  if (name === undefined) return workflows;
  const [workflow, ...others] = workflows;
  if (workflow !== undefined && others.length === 0) return [{ ...workflow, name }];
  throw new AppError(
    'bad_request',
    `--name names one workflow, but this import creates ${workflows.length}. Remove --name.`,
  );
}

/** Creates all workflows; a failure does not stop the others. */
const create = (context: CommandContext, workflows: readonly ImportedWorkflow[]): Promise<Outcome[]> =>
  withHost(context, async ({ api }) => {
    const outcomes: Outcome[] = [];
    for (const workflow of workflows) {
      try {
        await api.call('dags.create', { name: workflow.name, spec: workflow.text }, context.caller);
        outcomes.push({ workflow });
      } catch (error) {
        if (!(error instanceof AppError) || !['already_exists', 'invalid_spec'].includes(error.code))
          throw error;
        outcomes.push({ workflow, error });
      }
    }
    const created = outcomes.flatMap(({ workflow, error }) => (error === undefined ? [workflow] : []));
    const rules = await createMailRules((name, options) => api.call(name, options, context.caller), created);
    for (const rule of rules) await context.terminal.stderr.write(`${rule}\n`);
    return outcomes;
  });

async function show(
  context: CommandContext,
  outcomes: readonly Outcome[],
  notes: readonly string[],
  { dryRun }: ImportInput,
): Promise<void> {
  const { stderr } = context.terminal;
  for (const note of notes) await stderr.write(`${note}\n`);
  for (const { workflow, error } of outcomes) {
    const { name, text } = workflow;
    if (dryRun) await printLines(context, [`# ${name}.yaml`, text]);
    else if (error === undefined) await printLines(context, [`Created ${name}`]);
    else await stderr.write(`Failed to create ${name}: ${error.message}\n`);
  }
  for (const note of new Set(outcomes.flatMap(({ workflow }) => workflow.notes)))
    await stderr.write(`Note: ${note}\n`);
  const failed = outcomes.filter(({ error }) => error !== undefined).length;
  if (failed > 0)
    await stderr.write(`${pluralize(failed, 'workflow')} of ${outcomes.length} could not be created.\n`);
}

const toJson = (outcomes: readonly Outcome[], notes: readonly string[], { dryRun }: ImportInput): object => ({
  notes,
  workflows: outcomes.map(({ workflow, error }) => ({
    name: workflow.name,
    created: !dryRun && error === undefined,
    spec: workflow.text,
    notes: workflow.notes,
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  })),
});
