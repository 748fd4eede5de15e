import type { BaseFile } from '../../home/library/base-file.ts';
import type { WorkflowLibrary } from '../../home/library/workflow-library.ts';
import type { Workflow } from '../../model/workflow.ts';
import { loadStored } from '../../run/recovery/previous-run.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { WorkflowFacts } from './select-targets.ts';

/** Where the facts about a workflow come from. */
export interface FactSources {
  readonly runs: Pick<RunStore, 'getDetail' | 'latestRun'>;
  readonly library: Pick<WorkflowLibrary, 'findByName' | 'getFolder'>;
  readonly base: Pick<BaseFile, 'read'>;
}

/** What rules select a workflow by, and the workflow itself if it is known. */
export interface KnownWorkflow extends WorkflowFacts {
  readonly workflow: Workflow | undefined;
}

/**
 * Finds the facts about a workflow: those of the run if there is one, which may have executed an earlier version of the
 * file, otherwise those of the file. For a job that runs elsewhere, `notify` of the base configuration applies.
 */
export async function findWorkflowFacts(
  { workflow: name, runId }: { readonly workflow: string; readonly runId?: string | undefined },
  { runs, library, base }: FactSources,
): Promise<KnownWorkflow> {
  const entry = await library.findByName(name).catch(() => undefined);
  const workflow = (await findExecuted(name, runId, runs)) ?? entry?.spec.workflows[0];
  return {
    name,
    tags: workflow?.tags ?? [],
    group: workflow?.group,
    folder: entry === undefined ? '' : library.getFolder(entry),
    notify: workflow === undefined ? base.read().config?.notify : workflow.notify,
    workflow,
  };
}

async function findExecuted(
  name: string,
  runId: string | undefined,
  runs: FactSources['runs'],
): Promise<Workflow | undefined> {
  const detail = runId === undefined ? undefined : runs.getDetail({ name, dagRunId: runId });
  if (detail === undefined) return undefined;
  try {
    return (await loadStored(detail)).workflow;
  } catch {
    // An older release stored it. The current file decides.
    return undefined;
  }
}

/** Finds the facts about a workflow as of its file, or as of its latest run if there is no file in the home. */
export async function findCurrentFacts(name: string, sources: FactSources): Promise<KnownWorkflow> {
  const facts = await findWorkflowFacts({ workflow: name }, sources);
  if (facts.workflow !== undefined) return facts;
  const runId = sources.runs.latestRun(name)?.dagRunId;
  return runId === undefined ? facts : findWorkflowFacts({ workflow: name, runId }, sources);
}
