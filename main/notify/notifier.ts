import type { Notification, NotificationConstructorOptions } from 'electron';
import type { WindowNotice } from '../../core/contract/desktop/messages.ts';

import type { DesktopNotification, NotifiedRun } from './notice.ts';

/** Dependencies of the notifier. */
export interface NotifierDeps {
  isSupported(): boolean;
  create(options: NotificationConstructorOptions): Notification;
  open(address: string): void;
  retry(run: NotifiedRun): void;
  /** Shows it in the window instead, immediately or when the window opens. */
  showInWindow(notice: WindowNotice): void;
  reportFailure(what: string, error: unknown): void;
}

/** Retained until they are closed, because a garbage-collected notification receives no clicks. */
const maxCached = 50;

/**
 * Shows desktop notifications: a click opens the page; buttons open or retry if the desktop supports them.
 * Without desktop support, they are shown in the window.
 */
export class Notifier {
  readonly #deps: NotifierDeps;
  readonly #active = new Set<Notification>();
  #isRefused = false;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
  }

  /** Whether the desktop shows notifications, as far as known. */
  get isOnDesktop(): boolean {
    return !this.#isRefused && this.#deps.isSupported();
  }

  /**
   * @param onRefused called if this desktop does not show notifications, instead of showing it in the window
   */
  show(notice: DesktopNotification, onRefused?: () => void): void {
    const fallBack = onRefused ?? (() => this.#deps.showInWindow(toWindowNotice(notice)));
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
    const shown = this.#deps.create({
      title,
      body,
      actions: buttons.map((text) => ({ type: 'button', text })),
    });
    this.#track(shown);
    shown.on('click', () => this.#deps.open(address));
    shown.on('action', (...args: unknown[]) => {
      if (retry !== undefined && actionOf(args) === 1) this.#deps.retry(retry);
      else this.#deps.open(address);
    });
    shown.once('close', () => this.#active.delete(shown));
    shown.once('failed', (_event: unknown, problem?: unknown) => {
      this.#active.delete(shown);
      this.#onRejected(problem, fallBack);
    });
    shown.show();
  }

  #onRejected(problem: unknown, fallBack: () => void): void {
    if (!this.#isRefused) this.#deps.reportFailure('Desktop notifications are not available', problem);
    this.#isRefused = true;
    fallBack();
  }

  #track(shown: Notification): void {
    this.#active.add(shown);
    if (this.#active.size > maxCached) this.#active.delete(this.#active.values().next().value!);
  }
}

/** Returns the index of the pressed button: a field of the event, or the next argument in older releases. */
function actionOf([event, index]: readonly unknown[]): number | undefined {
  const { actionIndex } = event as { readonly actionIndex?: number };
  return actionIndex ?? (typeof index === 'number' ? index : undefined);
}

const toWindowNotice = ({ title, body, address, tone }: DesktopNotification): WindowNotice => ({
  tone,
  text: `${title}: ${body}`,
  address,
});
