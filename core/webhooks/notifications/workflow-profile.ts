import type { BaseFile } from '../../home/library/base-file.ts';
import type { WorkflowLibrary } from '../../home/library/workflow-library.ts';
import type { Workflow } from '../../model/workflow.ts';
import { loadStored } from '../../run/recovery/previous-run.ts';
import type { PingStore } from '../../store/types/pings.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { WorkflowProfile } from './select-targets.ts';

/** Where the profile of a workflow comes from. */
export interface ProfileSources {
  readonly runs: Pick<RunStore, 'getDetail' | 'latestRun'>;
  readonly library: Pick<WorkflowLibrary, 'findByName' | 'getFolder'>;
  readonly base: Pick<BaseFile, 'read'>;
  readonly pings: Pick<PingStore, 'findCheck'>;
}

/** What rules select a workflow by, and the workflow itself if it is known. */
export interface KnownWorkflow extends WorkflowProfile {
  readonly workflow: Workflow | undefined;
}

/**
 * Finds the profile of a workflow: that of the run if there is one, which may have executed an earlier version of the
 * file, otherwise that of the file. For a job that runs elsewhere, its tags and `notify` of the base configuration apply.
 */
export async function findProfile(
  { workflow: name, runId }: { readonly workflow: string; readonly runId?: string | undefined },
  { runs, library, base, pings }: ProfileSources,
): Promise<KnownWorkflow> {
  const entry = await library.findByName(name).catch(() => undefined);
  const workflow = (await findExecuted(name, runId, runs)) ?? entry?.spec.workflows[0];
  const check = workflow === undefined ? pings.findCheck(name) : undefined;
  return {
    name,
    tags: workflow?.tags ?? check?.tags.map((tag) => tag.toLowerCase()) ?? [],
    isPing: check !== undefined,
    group: workflow?.group,
    folder: entry === undefined ? '' : library.getFolder(entry),
    notify: workflow === undefined ? base.read().config?.notify : workflow.notify,
    workflow,
  };
}

async function findExecuted(
  name: string,
  runId: string | undefined,
  runs: ProfileSources['runs'],
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

/** Finds the profile of a workflow as of its file, or as of its latest run if there is no file in the home. */
export async function findCurrentProfile(name: string, sources: ProfileSources): Promise<KnownWorkflow> {
  const profile = await findProfile({ workflow: name }, sources);
  if (profile.workflow !== undefined) return profile;
  const runId = sources.runs.latestRun(name)?.dagRunId;
  return runId === undefined ? profile : findProfile({ workflow: name, runId }, sources);
}
