import type { OperationInput } from '../../core/contract/operations.ts';

/** Identifies the run. */
export type NotifiedRun = OperationInput<'runs.get'>;

/** Why the user is notified of a run. */
export type NotificationReason = 'approval' | 'failure' | 'recovery' | 'waiting' | 'longRun';

/** A notification. */
export interface DesktopNotification {
  readonly title: string;
  readonly body: string;
  /** Address of its page, such as `#/runs/etl/1`. */
  readonly address: string;
  /** The run that its button retries. */
  readonly retry?: NotifiedRun;
  readonly tone: 'info' | 'error';
}

/** A run and the reason for the notification. */
export interface RunNotification {
  readonly reason: NotificationReason;
  readonly run: NotifiedRun;
  /** The step that it concerns, as a query of the page's address. */
  readonly step?: string;
  /** One sentence. */
  readonly text: string;
}

const titles = {
  approval: (name: string) => `${name} needs your approval`,
  failure: (name: string) => `${name} failed`,
  recovery: (name: string) => `${name} recovered`,
  waiting: (name: string) => `${name} is blocked`,
  longRun: (name: string) => `${name} finished`,
} as const satisfies Record<NotificationReason, (name: string) => string>;

const groupTitles = {
  approval: 'runs need your approval',
  failure: 'workflows failed',
  recovery: 'workflows recovered',
  waiting: 'runs are blocked',
  longRun: 'long runs finished',
} as const satisfies Record<NotificationReason, string>;

/** Pages for a summary of many runs. */
const groupAddresses = {
  approval: '#/approvals?show=open',
  failure: '#/runs?status=failed',
  recovery: '#/runs',
  waiting: '#/queues',
  longRun: '#/runs',
} as const satisfies Record<NotificationReason, string>;

/** More notifications at once are combined into one. */
const maxSingle = 3;

/** Returns one notification per run, or a single one for many with the same reason. */
export function composeNotifications(runNotifications: readonly RunNotification[]): DesktopNotification[] {
  return (Object.keys(titles) as NotificationReason[]).flatMap((reason) => {
    const same = runNotifications.filter((each) => each.reason === reason);
    return same.length <= maxSingle ? same.map(composeOne) : [composeMany(reason, same)];
  });
}

function composeOne({ reason, run, step, text }: RunNotification): DesktopNotification {
  const { name, dagRunId } = run;
  return {
    title: titles[reason](name),
    body: text,
    address: `#/runs/${encodeURIComponent(name)}/${encodeURIComponent(dagRunId)}${step === undefined ? '' : `?${step}`}`,
    tone: reason === 'failure' ? 'error' : 'info',
    ...(reason === 'failure' && { retry: run }),
  };
}

function composeMany(
  reason: NotificationReason,
  runNotifications: readonly RunNotification[],
): DesktopNotification {
  const names = [...new Set(runNotifications.map(({ run }) => run.name))];
  const listedNames = names.slice(0, 5).join(', ');
  const count = reason === 'failure' || reason === 'recovery' ? names.length : runNotifications.length;
  return {
    title: `${count} ${groupTitles[reason]}`,
    body: names.length > 5 ? `${listedNames} and ${names.length - 5} more` : listedNames,
    address: groupAddresses[reason],
    tone: reason === 'failure' ? 'error' : 'info',
  };
}
