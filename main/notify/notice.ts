import type { OperationInput } from '../../core/contract/operations.ts';

/** Which run. */
export type NoticeRun = OperationInput<'runs.get'>;

/** Why a person is told of a run. */
export type NoticeReason = 'approval' | 'failure' | 'recovery' | 'waiting' | 'longRun';

/** Something a person should know. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  /** Page it is about, such as `#/runs/etl/1`. */
  readonly address: string;
  /** That can be tried again. */
  readonly retry?: NoticeRun;
  readonly tone: 'info' | 'error';
}

/** A run and why it is told of. */
export interface RunNotice {
  readonly reason: NoticeReason;
  readonly run: NoticeRun;
  /** The step that it is about, as the query of the page's address names it. */
  readonly step?: string;
  /** One sentence about it. */
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

/** Where very many are looked at together. */
const manyAddresses = {
  approval: '#/approvals?show=open',
  failure: '#/runs?status=failed',
  recovery: '#/runs',
  waiting: '#/queues',
  longRun: '#/runs',
} as const satisfies Record<NoticeReason, string>;

/** More of them at once are one notice. */
const mostSingle = 3;

/** What is shown of what came together: a notice each, or one for very many with the same reason. */
export function composeNotices(found: readonly RunNotice[]): Notice[] {
  return (Object.keys(titles) as NoticeReason[]).flatMap((reason) => {
    const same = found.filter((each) => each.reason === reason);
    return same.length <= mostSingle ? same.map(composeOne) : [composeMany(reason, same)];
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
