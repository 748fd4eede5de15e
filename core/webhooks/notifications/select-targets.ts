import { findQuietEnd, parseQuietHours } from '../../model/notification.ts';
import type { Notify } from '../../model/settings.ts';
import type {
  NotificationRule,
  RuleSettings,
  StoredNotificationEvent,
  WorkflowSelection,
} from '../../store/types/notifications.ts';
import type { BaseFile } from '../../home/library/base-file.ts';
import type { WorkflowLibrary } from '../../home/library/workflow-library.ts';
import type { Workflow } from '../../model/workflow.ts';
import { loadStored } from '../../run/recovery/previous-run.ts';
import type { PingStore } from '../../store/types/pings.ts';
import type { RunStore } from '../../store/types/runs.ts';
import { eventName } from './message.ts';

/** What rules can select a workflow by. */
export interface WorkflowProfile {
  readonly name: string;
  readonly tags: readonly string[];
  readonly group?: string | undefined;
  /** Relative to the workflow folder; `''` for that itself. */
  readonly folder: string;
  /** Whether it is a ping check. */
  readonly isPing: boolean;
  readonly notify?: Notify | undefined;
}

/** A channel that is notified of an event, and by which rule. */
export interface NotificationTarget {
  /** Name. */
  readonly channel: string;
  readonly rule: string;
  readonly quiet?: string | undefined;
  readonly digestSec?: number | undefined;
}

/** Whether a selection includes a workflow. */
export function selects(selection: WorkflowSelection, workflow: WorkflowProfile): boolean {
  const { names = [], tags = [], groups = [], folders = [] } = selection;
  if (names.length + tags.length + groups.length + folders.length === 0) return true;
  return (
    names.some((name) => matchesName(name, workflow.name)) ||
    tags.some((tag) => workflow.tags.includes(tag.toLowerCase())) ||
    groups.some((group) => group === workflow.group) ||
    folders.some((folder) => isInFolder(folder, workflow.folder))
  );
}

/** `*` matches any characters. */
function matchesName(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name;
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop() ?? '';
  if (!name.startsWith(start) || !name.slice(start.length).endsWith(end)) return false;
  let remaining = name.slice(start.length, name.length - end.length);
  for (const part of rest) {
    const at = remaining.indexOf(part);
    if (at === -1) return false;
    remaining = remaining.slice(at + part.length);
  }
  return true;
}

function isInFolder(selected: string, folder: string): boolean {
  const path = selected.split('/').filter(Boolean).join('/');
  return folder === path || folder.startsWith(`${path}/`);
}

/** Name of the rule that `notify` of a workflow is. */
export const notifyRuleName = (workflow: string): string => `notify of ${workflow}`;

/** The rules that apply to a workflow: those of the home, and `notify` in its file. */
export function listRulesFor(workflow: WorkflowProfile, rules: readonly NotificationRule[]): RuleSettings[] {
  const stored = rules.filter(({ enabled, workflows }) => enabled && selects(workflows, workflow));
  return [...(workflow.notify === undefined ? [] : toRules(workflow.name, workflow.notify)), ...stored];
}

/** One rule for each event, because each can have its own channels. */
const toRules = (name: string, { to, after, once = false, quiet, digestSec }: Notify): RuleSettings[] =>
  Object.entries(to).map(([event, channels]) => ({
    name: notifyRuleName(name),
    enabled: true,
    workflows: {},
    events: [event as RuleSettings['events'][number]],
    channels,
    after,
    once,
    quiet,
    digestSec,
  }));

/**
 * Returns the channels that are notified of an event, each once: a message that is sent immediately takes precedence over
 * a delayed one.
 */
export function selectTargets(
  event: Pick<StoredNotificationEvent, 'type' | 'failures'>,
  workflow: WorkflowProfile,
  rules: readonly NotificationRule[],
): NotificationTarget[] {
  const targets = new Map<string, NotificationTarget>();
  for (const rule of listRulesFor(workflow, rules)) {
    if (!reports(rule, event)) continue;
    const { name, channels, quiet, digestSec } = rule;
    for (const channel of channels) {
      const known = targets.get(channel);
      if (known === undefined || (isDelayed(known) && !isDelayed(rule)))
        targets.set(channel, { channel, rule: name, quiet, digestSec });
    }
  }
  return [...targets.values()];
}

const isDelayed = ({ quiet, digestSec }: Pick<RuleSettings, 'quiet' | 'digestSec'>): boolean =>
  quiet !== undefined || digestSec !== undefined;

/** A recovery is reported if the failures before it were. */
function reports(rule: RuleSettings, event: Pick<StoredNotificationEvent, 'type' | 'failures'>): boolean {
  const name = eventName(event);
  if (!rule.events.includes(name)) return false;
  if (name === 'recovered') return event.failures >= rule.after;
  if (name !== 'failed') return true;
  return rule.once ? event.failures === rule.after : event.failures >= rule.after;
}

/**
 * Returns when a message is sent: undefined for immediately.
 * @param collectingUntil when the messages that the rule already holds for the channel are sent
 */
export function findDueTime(
  { quiet, digestSec }: Pick<RuleSettings, 'quiet' | 'digestSec'>,
  now: number,
  collectingUntil: number | undefined,
): number | undefined {
  if (digestSec !== undefined && collectingUntil !== undefined) return collectingUntil;
  const digestAt = digestSec === undefined ? now : now + digestSec * 1000;
  const hours = quiet === undefined ? undefined : parseQuietHours(quiet);
  const dueAt = (hours && findQuietEnd(hours, digestAt)) ?? digestAt;
  return dueAt > now ? dueAt : undefined;
}

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
  const check = workflow === undefined ? await pings.findCheck(name) : undefined;
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
