import type { ExecutorAction } from '../model/step.ts';
import type { ActionExecutor, ExecutorResult, StepContext, StepTask } from './executor.ts';
import { archiveExitCodes, toArchiveError, stopped } from './archive/archive-error.ts';
import { chooseFormat, createArchive } from './archive/create.ts';
import { extractArchive } from './archive/extract.ts';
import { readJob, type ArchiveJob, Summary } from './archive/job.ts';
import { readSource } from './archive/open-archive.ts';
import type { OpenArchive } from './archive/entries.ts';

/**
 * Extracts, creates and lists archives. Writes a summary to stdout as one JSON object, also on failure; the exit code
 * is the class of the failure.
 */
export const executor: ActionExecutor = { run };

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
  const fields = {
    source: sources.length === 1 ? sources[0]! : [...sources],
    ...(destination === undefined ? {} : { destination }),
    ...(dryRun ? { dryRun } : {}),
  };
  return new Summary(operation, fields, operation === 'list' || dryRun);
}

async function work(job: ArchiveJob, summary: Summary): Promise<void> {
  if (job.operation === 'create') {
    const format = chooseFormat(job);
    summary.fields['format'] = format;
    return createArchive(format, job, summary);
  }
  await readSource(job, async (archive) => {
    summary.fields['format'] = archive.format;
    await (job.operation === 'list' ? listArchive : extractArchive)(archive, job, summary);
  });
}

/** Lists an archive. Names are shown as they are: nothing is written, so unsafe names are not rejected. */
async function listArchive(archive: OpenArchive, job: ArchiveJob, summary: Summary): Promise<void> {
  for await (const { name, kind, size, mode, modified, isEncrypted } of archive.entries()) {
    if (job.signal.aborted) throw stopped();
    const segments = name.split('/').filter((part) => part !== '' && part !== '.');
    if (!job.selection.selects(segments)) {
      summary.skip();
      continue;
    }
    summary.add({ name, type: kind, size, mode, modified, isEncrypted });
    job.notify(name);
  }
}
