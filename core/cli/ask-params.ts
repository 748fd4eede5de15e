import { createInterface } from 'node:readline/promises';
import { AppError } from '../base/errors.ts';
import type { ParamField } from '../model/param-form.ts';
import type { RunRef } from '../model/run.ts';
import { findUnknownParams, formatParamText, parseParamText, parseParamTokens } from '../spec/params.ts';
import type { CommandContext } from './command-context.ts';
import type { EngineClient } from './host/engine-client.ts';
import { askHidden } from './read-password.ts';

/** Parameters of a command line: one string, or one parameter each. */
type TypedParams = string | readonly string[] | undefined;

/**
 * Starts or queues a run. If required parameters are missing, asks for them on a terminal and tries again; without a
 * terminal, the error names all of them.
 */
export async function startWithParams(
  context: CommandContext,
  host: Pick<EngineClient, 'api' | 'isRemote'>,
  params: TypedParams,
  start: (params: TypedParams) => Promise<RunRef>,
): Promise<RunRef> {
  const asked = new Set<string>();
  let typed = params;
  for (;;) {
    try {
      const run = await start(typed);
      if (host.isRemote && params !== undefined) await warnAboutUnknown(context, host, run, params);
      return run;
    } catch (error) {
      const missing = findMissing(error).filter(({ name }) => !asked.has(name));
      if (missing.length === 0) throw error;
      if (!context.terminal.interactive) throw withHint(error as AppError, missing);
      for (const field of missing) {
        asked.add(field.name);
        typed = addParam(typed, { name: field.name, value: await askFor(context, field) });
      }
    }
  }
}

/** An engine in this process warns by itself, a server only in its log. */
async function warnAboutUnknown(
  { caller, terminal }: CommandContext,
  { api }: Pick<EngineClient, 'api'>,
  { name, dagRunId }: RunRef,
  params: string | readonly string[],
): Promise<void> {
  const passed = typeof params === 'string' ? parseParamText(params) : parseParamTokens(params);
  // The run has started: a problem with this request must not look like one with the start.
  const run = await api.call('runs.get', { name, dagRunId }, caller).catch(() => undefined);
  if (run === undefined) return;
  for (const message of findUnknownParams(run.workflow, passed))
    await terminal.stderr.write(`engine: warning: ${name}: ${message}\n`);
}

function findMissing(error: unknown): readonly ParamField[] {
  const missing = error instanceof AppError ? error.details?.['missing'] : undefined;
  return Array.isArray(missing) ? (missing as unknown as readonly ParamField[]) : [];
}

function withHint({ code, message, details }: AppError, missing: readonly ParamField[]): AppError {
  const words = missing.slice(0, 5).map(({ name, choices }) => `${name}=${choices?.[0]?.value || 'VALUE'}`);
  const hint = `Pass parameters after --, for example: -- ${words.join(' ')}`;
  return new AppError(code, message, { details: { ...details, hint } });
}

const addParam = (params: TypedParams, added: { name: string; value: string }): TypedParams =>
  typeof params === 'string'
    ? `${params} ${formatParamText([added])}`
    : [...(params ?? []), `${added.name}=${added.value}`];

/** Asks until there is an answer, and one of the choices if there are any. */
async function askFor({ terminal }: CommandContext, field: ParamField): Promise<string> {
  const { name, title = name, description, choices, format } = field;
  if (description !== undefined) await terminal.stderr.write(`${description}\n`);
  const values = choices?.map(({ value }) => value);
  const question = values === undefined ? `${title}: ` : `${title} (${values.join(', ')}): `;
  for (;;) {
    const answer = format === 'password' ? await askHidden(question, cancelled) : await askLine(question);
    if (answer !== '' && (values === undefined || values.includes(answer))) return answer;
    await terminal.stderr.write(
      values === undefined ? 'Enter a value.\n' : `Enter one of: ${values.join(', ')}.\n`,
    );
  }
}

const cancelled = 'Cancelled. No run was started.';

async function askLine(question: string): Promise<string> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const controller = new AbortController();
  asking.once('SIGINT', () => controller.abort()).once('close', () => controller.abort());
  try {
    return (await asking.question(question, { signal: controller.signal })).trim();
  } catch {
    throw new AppError('bad_request', cancelled);
  } finally {
    asking.close();
  }
}
