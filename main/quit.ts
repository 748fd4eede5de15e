import type { MessageBoxOptions } from 'electron';
import type { DesktopSettings, DesktopSettingsChange } from '../core/contract/desktop-calls.ts';
import type { DesktopNotification } from './notifier.ts';

/** Dependencies of closing the window. */
export interface CloseHandlerOptions {
  settings(): DesktopSettings['life'];
  change(change: DesktopSettingsChange): void;
  hasTray(): boolean;
  isLeaving(): boolean;
  /** Sends a desktop notification, or calls back if the desktop does not support them. */
  notify(notice: DesktopNotification, onRefused: () => void): void;
  showMessage(options: MessageBoxOptions): void;
  quit(): void;
}

const stays = 'Schedules, queues and runs continue while the window is closed.';

/**
 * Handles the close button of the window: by setting, the app stays in the background, with a notification the
 * first time, or quits.
 */
export class CloseHandler {
  readonly #options: CloseHandlerOptions;

  constructor(options: CloseHandlerOptions) {
    this.#options = options;
  }

  /** Whether the window may close; otherwise quitting has started, which may ask for confirmation. */
  mayClose(): boolean {
    const { settings, isLeaving, quit } = this.#options;
    if (isLeaving() || settings().onClose === 'tray') return true;
    quit();
    return false;
  }

  onClosed(): void {
    const { settings, change, isLeaving, notify, showMessage } = this.#options;
    if (isLeaving() || settings().closeTold) return;
    change({ life: { closeTold: true } });
    const body = `${stays} ${this.#wayBack()}`;
    const notice = { title: 'Stepwright is still running', body, address: '', tone: 'info' } as const;
    notify(notice, () =>
      showMessage({ type: 'info', title: 'Stepwright', message: notice.title, detail: body, noLink: true }),
    );
  }

  /** A desktop may accept a tray icon without showing it, so starting the app again is always mentioned. */
  #wayBack(): string {
    return this.#options.hasTray()
      ? 'Use the tray icon to open the window or quit. If you see no icon, start Stepwright again.'
      : 'No tray is available. Start Stepwright again to open the window. Quit from the menu or with Ctrl+Q.';
  }
}

/** Dependencies of quitting. */
export interface QuitFlowOptions {
  activeRuns(): number;
  ask(options: MessageBoxOptions): Promise<{ response: number }>;
  /** Stops schedules, queues and other automatic starts of the engine. */
  pauseServices(): Promise<void>;
  /** Resumes them. */
  serve(): void;
  /** Resolves when the runs of this host have ended. */
  runsEnded(): Promise<void>;
  /** Stops active runs (their handlers run) and closes the engine. */
  closeEngine(): Promise<void>;
  /** Resolves to whether a background service continues the work of the home directory. */
  hasService(): Promise<boolean>;
  /** Closes the engine and leaves its runs, whose processes continue, to the service. */
  handOver(): Promise<void>;
  closeWindow(): void;
  /** Ends the process; `before-quit` fires again and is not prevented. */
  quit(): void;
  reportFailure(error: unknown): void;
}

type Choice = 'hand over' | 'keep' | 'stop' | 'cancel';

/** Answers of the question with and without a background service, each with its button. */
const answersWith = {
  service: [
    ['hand over', 'Continue in the background service'],
    ['stop', 'Stop runs and quit'],
    ['cancel', 'Cancel'],
  ],
  none: [
    ['keep', 'Quit when runs finish'],
    ['stop', 'Stop runs and quit'],
    ['cancel', 'Cancel'],
  ],
} as const satisfies Record<string, readonly (readonly [Choice, string])[]>;

const details = {
  service: 'The background service can continue them. If you stop them, their abort and exit handlers run.',
  none: 'Stepwright can stay in the background until they finish. If you stop them, their abort and exit handlers run.',
} as const;

/**
 * Quits the app gracefully: the user decides about active runs; the engine is closed before the process ends.
 */
export class QuitFlow {
  readonly #options: QuitFlowOptions;
  /** In `waiting` the runs continue without a window; another attempt to quit asks again. */
  #state: 'staying' | 'asking' | 'waiting' | 'leaving' | 'left' = 'staying';
  /** Incremented by each decision, so that a superseded wait or question has no effect. */
  #decision = 0;
  /** Whether automatic starts of the engine are stopped. */
  #standsDown = false;

  constructor(options: QuitFlowOptions) {
    this.#options = options;
  }

  /** Whether the app is quitting, so that its window closes too. */
  get isLeaving(): boolean {
    return this.#state === 'leaving' || this.#state === 'left';
  }

  /** Handles `before-quit`. */
  onBeforeQuit(event: { preventDefault(): void }): void {
    if (this.#state === 'left') return;
    event.preventDefault();
    if (this.#state === 'asking' || this.#state === 'leaving') return;
    this.#quitWhenSettled().catch((error: unknown) => {
      this.#stay();
      this.#options.reportFailure(error);
    });
  }

  /** Opening the window cancels an earlier decision to quit after the runs. */
  onWindowOpened(): void {
    if (this.#state === 'waiting') this.#stay();
  }

  /**
   * Handles a termination signal: runs are stopped gracefully without a prompt, because the user may be
   * away.
   */
  onSignal(): void {
    if (this.#state !== 'leaving' && this.#state !== 'left') void this.#leave();
  }

  /** Closes the engine for a restart: from now on the process may end without a question. */
  async leaveForUpdate(): Promise<void> {
    this.#decision += 1;
    this.#state = 'leaving';
    await this.#options.closeEngine().catch(this.#options.reportFailure);
    this.#state = 'left';
  }

  async #quitWhenSettled(): Promise<void> {
    const count = this.#options.activeRuns();
    if (count === 0) return this.#leave();
    const decision = (this.#decision += 1);
    const choice = await this.#ask(count);
    if (this.#decision !== decision) return;
    if (choice === 'cancel') this.#stay();
    else if (choice === 'hand over') await this.#leave(() => this.#options.handOver());
    else if (choice === 'stop' || (await this.#waitForRuns())) await this.#leave();
  }

  async #ask(count: number): Promise<Choice> {
    this.#state = 'asking';
    const stopMode = (await this.#options.hasService()) ? 'service' : 'none';
    const answers: readonly (readonly [Choice, string])[] = answersWith[stopMode];
    const { response } = await this.#options.ask({
      type: 'question',
      title: 'Quit Stepwright',
      message: count === 1 ? '1 run is still active' : `${count} runs are still active`,
      detail: details[stopMode],
      buttons: answers.map(([, button]) => button),
      defaultId: 0,
      cancelId: answers.length - 1,
      noLink: true,
    });
    return answers[response]?.[0] ?? 'cancel';
  }

  /**
   * Returns whether to quit afterwards: not after a different decision in the meantime. Active runs finish, and
   * none are started.
   */
  async #waitForRuns(): Promise<boolean> {
    const decision = this.#decision;
    this.#state = 'waiting';
    this.#standsDown = true;
    this.#options.closeWindow();
    await this.#options.pauseServices();
    await this.#options.runsEnded();
    return this.#decision === decision;
  }

  #stay(): void {
    this.#decision += 1;
    this.#state = 'staying';
    if (this.#standsDown) this.#options.serve();
    this.#standsDown = false;
  }

  async #leave(close = (): Promise<void> => this.#options.closeEngine()): Promise<void> {
    this.#decision += 1;
    this.#state = 'leaving';
    // An engine that cannot be closed must not block quitting; the next start recovers its runs as after a
    // crash.
    await close().catch(this.#options.reportFailure);
    this.#state = 'left';
    this.#options.quit();
  }
}
