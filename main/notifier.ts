import type { Notification, NotificationConstructorOptions } from 'electron';
import type { OperationInput } from '../core/contract/operations.ts';
import type { WindowNotice } from '../core/contract/desktop-calls.ts';

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

/** Dependencies of the notifier. */
export interface NotifierOptions {
  isSupported(): boolean;
  create(options: NotificationConstructorOptions): Notification;
  open(address: string): void;
  retry(run: NotifiedRun): void;
  /** Displays it in the window instead, immediately or when the window opens. */
  showInWindow(notice: WindowNotice): void;
  reportFailure(what: string, error: unknown): void;
}

/** Retained until they are closed, because a garbage-collected notification receives no clicks. */
const maxCached = 50;

/**
 * Sends desktop notifications: a click opens the page; buttons open or retry if the desktop supports them.
 * Without desktop support, they are shown in the window.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #active = new Set<Notification>();
  #isRefused = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Whether the desktop displays notifications, as far as known. */
  get isOnDesktop(): boolean {
    return !this.#isRefused && this.#options.isSupported();
  }

  /**
   * @param onRefused called if this desktop does not show notifications, instead of showing it in the window
   */
  show(notice: DesktopNotification, onRefused?: () => void): void {
    const fallBack = onRefused ?? (() => this.#options.showInWindow(toWindowNotice(notice)));
    if (!this.isOnDesktop) return fallBack();
    try {
      this.#showOnDesktop(notice, fallBack);
    } catch (error) {
      this.#onRejected(error, fallBack);
    }
  }

  #showOnDesktop(notice: DesktopNotification, fallBack: () => void): void {
    const { title, body, address, retry } = notice;
    const buttons = ['Open', ...(retry === undefined ? [] : ['Retry'])];
    const shown = this.#options.create({
      title,
      body,
      actions: buttons.map((text) => ({ type: 'button', text })),
    });
    this.#track(shown);
    shown.on('click', () => this.#options.open(address));
    shown.on('action', (...args: unknown[]) => {
      if (retry !== undefined && getAction(args) === 1) this.#options.retry(retry);
      else this.#options.open(address);
    });
    shown.once('close', () => this.#active.delete(shown));
    shown.once('failed', (_event: unknown, problem?: unknown) => {
      this.#active.delete(shown);
      this.#onRejected(problem, fallBack);
    });
    shown.show();
  }

  #onRejected(problem: unknown, fallBack: () => void): void {
    if (!this.#isRefused) this.#options.reportFailure('Desktop notifications are not available', problem);
    this.#isRefused = true;
    fallBack();
  }

  #track(shown: Notification): void {
    this.#active.add(shown);
    if (this.#active.size > maxCached) this.#active.delete(this.#active.values().next().value!);
  }
}

/** Returns the index of the pressed button: a field of the event, or the next argument in older releases. */
function getAction([event, index]: readonly unknown[]): number | undefined {
  const { actionIndex } = event as { readonly actionIndex?: number };
  return actionIndex ?? (typeof index === 'number' ? index : undefined);
}

const toWindowNotice = ({ title, body, address, tone }: DesktopNotification): WindowNotice => ({
  tone,
  text: `${title}: ${body}`,
  address,
});
