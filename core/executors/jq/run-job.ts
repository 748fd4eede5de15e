import { messageOf } from '../../base/errors.ts';
import { JqAbort, JqFiles } from './jq-files.ts';
import type { JqResult, JqJob, JqOutputSink } from './jq-job.ts';
import { JqOutput, OutputLimitError } from './jq-output.ts';
import { runJqProgram } from './jq-program.ts';

const queryPath = '/query.jq';

/** Runs a job to its end and blocks this thread. Never rejects. */
export async function runJob(job: JqJob, sink: JqOutputSink): Promise<JqResult> {
  const output = new JqOutput(sink, job.raw);
  const files = new JqFiles(listFiles(job), job, (stream, bytes) => output.write(stream, bytes));
  try {
    return { exitCode: await runJqProgram(listArguments(job), files) };
  } catch (error) {
    return { fault: describeJobError(error, job) };
  } finally {
    output.flush();
  }
}

const variablePath = (name: string): string => `/variables/${name}`;

function listFiles({ query, inputName, input, texts, values }: JqJob): Map<string, Uint8Array> {
  const variables = Object.entries({ ...texts, ...values });
  return new Map<string, Uint8Array>([
    ...variables.map(([name, text]) => [variablePath(name), Buffer.from(text)] as const),
    [queryPath, Buffer.from(query)],
    [inputName, input],
  ]);
}

function listArguments({ raw, compact, nullInput, slurp, texts, values, inputName }: JqJob): string[] {
  return [
    '--monochrome-output',
    ...(raw || compact ? ['--compact-output'] : ['--indent', '4']),
    ...(nullInput ? ['--null-input'] : []),
    ...(slurp ? ['--slurp'] : []),
    ...Object.keys(texts).flatMap((name) => ['--rawfile', name, variablePath(name)]),
    ...Object.keys(values).flatMap((name) => ['--slurpfile', name, variablePath(name)]),
    '--from-file',
    queryPath,
    inputName,
  ];
}

function describeJobError(error: unknown, { memoryBytes }: JqJob): string {
  if (error instanceof OutputLimitError)
    return `${error.message}. Reduce the output, or split the query into several steps`;
  const limit = Math.round(memoryBytes / 1024 ** 2);
  if (error instanceof JqAbort)
    return `jq exceeded its memory limit of ${limit} MiB. Reduce the input, or set config.maxMemoryMiB`;
  // The form of a stack overflow depends on which stack overflows.
  return `jq crashed, probably because a value is nested too deeply: ${messageOf(error)}`;
}
