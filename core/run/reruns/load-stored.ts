import { AppError } from '../../base/errors.ts';
import { loadInThread } from '../../loading/load-in-thread.ts';
import type { RunDetail } from '../../model/run/run.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { selectSteps } from '../../plan/select-steps.ts';
import type { LoadedFile } from '../run-service.ts';

/** The workflows of a run, loaded from the sources stored with it. */
export interface StoredSource {
  readonly source: LoadedFile;
  readonly document: number;
  /** The run's own workflow; for a run of a part, only that part. */
  readonly workflow: Workflow;
}

/**
 * Loads the workflow that a run executed; its file may have been changed or deleted since.
 * @throws `invalid_spec` when this release cannot load the source any more
 */
export async function loadStored({ run, spec }: Pick<RunDetail, 'run' | 'spec'>): Promise<StoredSource> {
  if (run.trigger === 'migrated') {
    throw new AppError(
      'invalid_spec',
      `Run ${run.dagRunId} of ${run.name} was migrated from an earlier release that did not store the workflow. ` +
        'Start the workflow from its file instead.',
    );
  }
  const { text, base: baseText, file, document } = spec;
  const base = baseText === undefined ? undefined : { text: baseText };
  const { workflows, diagnostics } = await loadInThread({ text, file, base });
  const definition = workflows[document];
  const workflow = definition && run.onlySteps ? selectSteps(definition, run.onlySteps) : definition;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (workflow !== undefined && errors.length === 0)
    return { source: { text, baseText, file, workflows, diagnostics }, document, workflow };
  const reason = errors[0] === undefined ? '' : `: ${formatDiagnostic(errors[0])}`;
  throw new AppError(
    'invalid_spec',
    `This release cannot load the stored workflow of run ${run.dagRunId} of ${run.name}${reason}. ` +
      'Start the workflow from its file instead.',
    { details: { diagnostics: errors } },
  );
}
