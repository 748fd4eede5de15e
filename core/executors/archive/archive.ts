import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { ActionExecutor, ExecutorResult, StepContext, StepTask } from '../executor.ts';
import { archiveExitCodes, toArchiveError } from './archive-error.ts';
import { chooseFormat, createArchive } from './create.ts';
import { extractArchive } from './extract.ts';
import { readJob, type ArchiveJob } from './job.ts';
import { listArchive } from './list.ts';
import { readSource } from './read-source.ts';
import { Summary } from './summary.ts';

/**
 * Extracts, creates and lists archives. Writes a summary to stdout as one JSON object, also on failure; the exit code
 * shows the class of the failure.
 */
export const archiveExecutor: ActionExecutor = { run };

async function run(context: StepContext, action: ExecutorAction, task: StepTask): Promise<ExecutorResult> {
  let job: ArchiveJob;
  try {
    job = await readJob(context, action, task);
  } catch (error) {
    const { message } = toArchiveError(error, 'the step');
    return { exitCode: archiveExitCodes.configuration, error: message };
  }
  const summary = openSummary(job);
  try {
    await work(job, summary);
  } catch (cause) {
    const error = toArchiveError(cause, 'the archive');
    summary.fail(error);
    task.output.stdout(`${JSON.stringify(summary.toJson())}\n`);
    return { exitCode: archiveExitCodes[error.class], error: `${job.operation}: ${error.message}` };
  }
  task.output.stdout(`${JSON.stringify(summary.toJson())}\n`);
  return summary.failed > 0 ? { exitCode: 0, partial: true } : { exitCode: 0 };
}

function openSummary(job: ArchiveJob): Summary {
  const { operation, sources, destination, dryRun } = job;
  const facts = {
    source: sources.length === 1 ? sources[0]! : [...sources],
    ...(destination === undefined ? {} : { destination }),
    ...(dryRun ? { dryRun } : {}),
  };
  return new Summary(operation, facts, operation === 'list' || dryRun);
}

async function work(job: ArchiveJob, summary: Summary): Promise<void> {
  if (job.operation === 'create') {
    const format = chooseFormat(job);
    summary.facts['format'] = format;
    return createArchive(format, job, summary);
  }
  await readSource(job, async (archive) => {
    summary.facts['format'] = archive.format;
    await (job.operation === 'list' ? listArchive : extractArchive)(archive, job, summary);
  });
}
