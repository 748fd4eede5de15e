import type { MessageBoxOptions } from 'electron';

/** What leaving needs of the app and of the engine. */
export interface QuitParts {
  activeRuns(): number;
  ask(options: MessageBoxOptions): Promise<{ response: number }>;
  /** Has the engine start nothing by itself: no schedules, no queues. */
  standDown(): Promise<void>;
  /** Has it do so again. */
  serve(): void;
  /** Resolves when the runs of this host have ended. */
  runsEnded(): Promise<void>;
  /** Stops runs that are still active (their handlers run) and closes the engine. */
  closeEngine(): Promise<void>;
  /** Resolves to whether a background service is there that goes on with the home's work. */
  hasService(): Promise<boolean>;
  /** Closes the engine and leaves its runs, whose processes go on, to the service. */
  handOver(): Promise<void>;
  closeWindow(): void;
  /** Ends the process; `before-quit` comes once more and is let pass. */
  quit(): void;
  reportFailure(thrown: unknown): void;
}

type Choice = 'hand over' | 'keep' | 'stop' | 'cancel';

/** Answers to the question, with a service that goes on and without one; each with its button. */
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

/** Leaving the app in order: with runs active the user decides; the engine is closed before the process ends. */
export class QuitFlow {
  readonly #parts: QuitParts;
  /** In `waiting` the runs go on without a window; asking to quit once more asks the user once more. */
  #state: 'staying' | 'asking' | 'waiting' | 'leaving' | 'left' = 'staying';
  /** Counts what decides, so that a wait or a question which something later has replaced comes to nothing. */
  #decision = 0;
  /** Whether the engine has been told to start nothing. */
  #standsDown = false;

  constructor(parts: QuitParts) {
    this.#parts = parts;
  }

  /** Whether the app is being left, so that its window closes with it. */
  get isLeaving(): boolean {
    return this.#state === 'leaving' || this.#state === 'left';
  }

  /** Handles `before-quit`. */
  onBeforeQuit(event: { preventDefault(): void }): void {
    if (this.#state === 'left') return;
    event.preventDefault();
    if (this.#state === 'asking' || this.#state === 'leaving') return;
    this.#quitWhenSettled().catch((thrown: unknown) => {
      this.#stay();
      this.#parts.reportFailure(thrown);
    });
  }

  /** Opening the window calls off an earlier wish to leave when the runs have ended. */
  onWindowOpened(): void {
    if (this.#state === 'waiting') this.#stay();
  }

  /** Handles a signal to end: nobody may be there to answer a question, so runs are stopped in order. */
  onSignal(): void {
    if (this.#state !== 'leaving' && this.#state !== 'left') void this.#leave();
  }

  /** Closes the engine for a restart that is under way: the process may end from now on without a question. */
  async leaveForUpdate(): Promise<void> {
    this.#decision += 1;
    this.#state = 'leaving';
    await this.#parts.closeEngine().catch(this.#parts.reportFailure);
    this.#state = 'left';
  }

  async #quitWhenSettled(): Promise<void> {
    const count = this.#parts.activeRuns();
    if (count === 0) return this.#leave();
    const decision = (this.#decision += 1);
    const choice = await this.#ask(count);
    if (this.#decision !== decision) return;
    if (choice === 'cancel') this.#stay();
    else if (choice === 'hand over') await this.#leave(() => this.#parts.handOver());
    else if (choice === 'stop' || (await this.#waitForRuns())) await this.#leave();
  }

  async #ask(count: number): Promise<Choice> {
    this.#state = 'asking';
    const way = (await this.#parts.hasService()) ? 'service' : 'none';
    const answers: readonly (readonly [Choice, string])[] = answersWith[way];
    const { response } = await this.#parts.ask({
      type: 'question',
      title: 'Quit Stepwright',
      message: count === 1 ? '1 run is still active' : `${count} runs are still active`,
      detail: details[way],
      buttons: answers.map(([, button]) => button),
      defaultId: 0,
      cancelId: answers.length - 1,
      noLink: true,
    });
    return answers[response]?.[0] ?? 'cancel';
  }

  /** Whether to leave afterwards: not when something else was decided meanwhile. What is there ends, nothing is added. */
  async #waitForRuns(): Promise<boolean> {
    const decision = this.#decision;
    this.#state = 'waiting';
    this.#standsDown = true;
    this.#parts.closeWindow();
    await this.#parts.standDown();
    await this.#parts.runsEnded();
    return this.#decision === decision;
  }

  #stay(): void {
    this.#decision += 1;
    this.#state = 'staying';
    if (this.#standsDown) this.#parts.serve();
    this.#standsDown = false;
  }

  async #leave(close = (): Promise<void> => this.#parts.closeEngine()): Promise<void> {
    this.#decision += 1;
    this.#state = 'leaving';
    // An engine that cannot be closed must not hold the user; the next start finds its runs as after a crash.
    await close().catch(this.#parts.reportFailure);
    this.#state = 'left';
    this.#parts.quit();
  }
}
