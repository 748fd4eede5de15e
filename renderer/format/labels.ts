import { isFinal, stepStatuses, type RunStatus, type StepStatus } from '../../core/model/run.ts';
import { executorTypes, stepTypes, type ExecutorType } from '../../core/model/step-types.ts';
import type { StepAction } from '../../core/model/step.ts';
import { summaryLine } from '../../core/base/text.ts';
import type { Role } from '../../core/contract/operation.ts';
import { isNamedActor, type Trigger } from '../../core/model/run-event.ts';
import type { ItemSummaryView } from '../../core/contract/run-views.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import type { WebhookTrigger } from '../../core/model/workflow.ts';
import { engineStart } from '../../core/model/workflow-rules.ts';
import { formatCron } from './time.ts';

/** The label next to each status icon. */
export const statusLabels: Readonly<Record<StepStatus, string>> = {
  not_started: 'Not started',
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  partially_succeeded: 'Partially succeeded',
  failed: 'Failed',
  aborted: 'Aborted',
  skipped: 'Skipped',
};

/** Returns the part of a token's name that represents a status: `--status-partially-succeeded`. */
export const statusToken = (status: StepStatus): string => status.replaceAll('_', '-');

/** Formats status counts, in the order of the statuses: `7 succeeded, 1 failed`. */
export function countStatuses(statuses: readonly StepStatus[]): string {
  return stepStatuses
    .map((status) => ({ status, count: statuses.filter((one) => one === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${statusLabels[status].toLowerCase()}`)
    .join(', ');
}

/** Whether a run may still change; false without a run. */
export const isActive = (run: { readonly status: RunStatus } | undefined): boolean =>
  run !== undefined && !isFinal(run.status);

/** Describes a step's action on one line. */
export function formatAction(action: StepAction): string {
  switch (action.kind) {
    case 'command':
      return summaryLine(action.command);
    case 'argv':
      return action.argv.join(' ');
    case 'script':
      return summaryLine(action.script);
    case 'dag':
      return [action.dag, ...action.params.map(({ name, value }) => `${name}=${value}`)].join(' ');
    case 'executor':
      return summaryLine(
        action.command ?? action.argv?.join(' ') ?? action.script ?? readQuestion(action.config),
      );
  }
}

export const nameAction = (action: StepAction): string => kindNames[toActionKind(action)];

/** The kind of an action; for an executor, its name. */
export type ActionKind = Exclude<StepAction['kind'], 'executor'> | ExecutorType;

/** Returns the kind of an action. */
export const toActionKind = (action: StepAction): ActionKind =>
  action.kind === 'executor' ? action.type : action.kind;

/** Labels of the kinds of action. */
export const kindNames = {
  command: 'Shell command',
  argv: 'Program',
  script: 'Script',
  dag: 'Sub-workflow',
  ...Object.fromEntries(executorTypes.map((type) => [type, stepTypes[type].label])),
} as Readonly<Record<ActionKind, string>>;

/** Reads the question of an approval step. */
const readQuestion = ({ question }: Readonly<Record<string, unknown>>): string =>
  typeof question === 'string' ? question : '';

/** Labels of the roles. */
export const roleLabels: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  operator: 'Operator',
  manager: 'Manager',
  admin: 'Admin',
};

/** Permissions that each role adds to the previous one. */
export const roleDescriptions: Readonly<Record<Role, string>> = {
  viewer: 'View workflows, runs and logs.',
  operator: 'Also start, stop and retry runs, and suspend schedules.',
  manager: 'Also edit workflows and delete runs.',
  admin: 'Full access, including users and tokens.',
};

/** Label of each trigger. */
export const triggerLabels: Readonly<Record<Trigger, string>> = {
  manual: 'Manual',
  cli: 'Command line',
  api: 'API',
  schedule: 'Schedule',
  webhook: 'Webhook',
  parent: 'Parent run',
  retry: 'Retry',
  migrated: 'Migrated',
};

/** Describes what started a run, and the user if known and useful: `API · anna`. */
export const formatOrigin = ({
  trigger,
  startedBy,
}: {
  readonly trigger: Trigger;
  readonly startedBy?: string | undefined;
}): string =>
  [triggerLabels[trigger], ...(isNamedActor(startedBy) ? [startedBy.replace(/^webhook /, '')] : [])].join(
    ' · ',
  );

const meanings: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  206: 'Partial Content',
  300: 'Multiple Choices',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  413: 'Content Too Large',
  416: 'Range Not Satisfiable',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Returns the HTTP reason phrase of a status code; empty for uncommon ones. */
export const getMeaning = (status: number): string => meanings[status] ?? '';

/** Returns the number of finished items, successful or not. */
export const countFinished = ({ succeeded, failed }: ItemSummaryView): number => succeeded + failed;

/** Formats `37 of 120 done, 2 failed, 10 running`; without the total while it is unknown. */
export function formatItems(items: ItemSummaryView): string {
  const done = countFinished(items).toLocaleString('en');
  const total = items.total === undefined ? '' : ` of ${items.total.toLocaleString('en')}`;
  const rest = (['failed', 'running'] as const)
    .filter((part) => items[part] > 0)
    .map((part) => `, ${items[part].toLocaleString('en')} ${part}`);
  return `${done}${total} done${rest.join('')}`;
}

/** Formats `37/120`, for compact places; `37` while the total is unknown. */
export const abbreviateItems = (items: ItemSummaryView): string =>
  items.total === undefined ? String(countFinished(items)) : `${countFinished(items)}/${items.total}`;

/** What starts a workflow, in words. */
export interface TriggerText {
  readonly kind: 'schedule' | 'webhook' | 'manual';
  /** `Every weekday at 06:00, Europe/Berlin` */
  readonly words: string;
}

/** The parts of a workflow that start its runs. */
export type TriggeredWorkflow = Pick<Workflow, 'schedule' | 'webhooks' | 'timezone'>;

/** Describes all triggers of a workflow; one without any is only run manually. */
export function describeTriggers(workflow: TriggeredWorkflow): readonly TriggerText[] {
  const { schedule, webhooks = [], timezone } = workflow;
  const triggers = [
    ...schedule.start.map((time) => toTrigger('schedule', describeTime(time, timezone))),
    ...schedule.restart.map((time) => toTrigger('schedule', `Restart: ${describeTime(time, timezone)}`)),
    ...webhooks.map((webhook) => toTrigger('webhook', describeWebhook(webhook))),
  ];
  return triggers.length > 0 ? triggers : [toTrigger('manual', 'Manual runs only')];
}

const toTrigger = (kind: TriggerText['kind'], words: string): TriggerText => ({ kind, words });

function describeTime(expression: string, timezone: string | undefined): string {
  const [, zone = timezone, fields = expression] = /^CRON_TZ=(\S+)\s+(.*)$/s.exec(expression) ?? [];
  const words = formatCron(fields);
  return zone === undefined || fields.toLowerCase() === engineStart
    ? words
    : `${words}, ${zone.replaceAll('_', ' ')}`;
}

function describeWebhook({ receiver, events }: WebhookTrigger): string {
  const name = receiver === undefined ? 'a webhook' : `webhook ${receiver}`;
  return events.length === 0 ? `When ${name} arrives` : `When ${name} sends ${events.join(' or ')}`;
}
