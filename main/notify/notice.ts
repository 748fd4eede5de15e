import type { OperationInput } from '../../core/contract/operations.ts';

/** Identifies the run. */
export type NoticeRun = OperationInput<'runs.get'>;

/** Why the user is notified of a run. */
export type NoticeReason = 'approval' | 'failure' | 'recovery' | 'waiting' | 'longRun';

/** A notification. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  /** Address of its page, such as `#/runs/etl/1`. */
  readonly address: string;
  /** The run that its button retries. */
  readonly retry?: NoticeRun;
  readonly tone: 'info' | 'error';
}

/** A run and the reason for the notification. */
export interface RunNotice {
  readonly reason: NoticeReason;
  readonly run: NoticeRun;
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
} as const satisfies Record<NoticeReason, (name: string) => string>;

const manyTitles = {
  approval: 'runs need your approval',
  failure: 'workflows failed',
  recovery: 'workflows recovered',
  waiting: 'runs are blocked',
  longRun: 'long runs finished',
} as const satisfies Record<NoticeReason, string>;

/** Pages for a summary of many runs. */
const manyAddresses = {
  approval: '#/approvals?show=open',
  failure: '#/runs?status=failed',
  recovery: '#/runs',
  waiting: '#/queues',
  longRun: '#/runs',
} as const satisfies Record<NoticeReason, string>;

/** More notifications at once are combined into one. */
const maxSingle = 3;

/** Returns one notification per run, or a single one for many with the same reason. */
export function composeNotices(found: readonly RunNotice[]): Notice[] {
  return (Object.keys(titles) as NoticeReason[]).flatMap((reason) => {
    const same = found.filter((each) => each.reason === reason);
    return same.length <= maxSingle ? same.map(composeOne) : [composeMany(reason, same)];
  });
}

function composeOne({ reason, run, step, text }: RunNotice): Notice {
  const { name, dagRunId } = run;
  return {
    title: titles[reason](name),
    body: text,
    address: `#/runs/${encodeURIComponent(name)}/${encodeURIComponent(dagRunId)}${step === undefined ? '' : `?${step}`}`,
    tone: reason === 'failure' ? 'error' : 'info',
    ...(reason === 'failure' && { retry: run }),
  };
}

function composeMany(reason: NoticeReason, found: readonly RunNotice[]): Notice {
  const names = [...new Set(found.map(({ run }) => run.name))];
  const told = names.slice(0, 5).join(', ');
  const count = reason === 'failure' || reason === 'recovery' ? names.length : found.length;
  return {
    title: `${count} ${manyTitles[reason]}`,
    body: names.length > 5 ? `${told} and ${names.length - 5} more` : told,
    address: manyAddresses[reason],
    tone: reason === 'failure' ? 'error' : 'info',
  };
}
