import type { MessageBoxOptions } from 'electron';

/** What leaving needs of the app and of the engine. */
export interface QuitParts {
  activeRuns(): number;
  ask(options: MessageBoxOptions): Promise<{ response: number }>;
  /** Resolves when the runs of this host have ended. */
  runsEnded(): Promise<void>;
  /** Stops runs that are still active (their handlers run) and closes the engine. */
  closeEngine(): Promise<void>;
  isWindowOpen(): boolean;
  closeWindow(): void;
  /** Ends the process; `before-quit` comes once more and is let pass. */
  quit(): void;
  reportFailure(thrown: unknown): void;
}

type Choice = 'keep' | 'stop' | 'cancel';
const choices: readonly Choice[] = ['keep', 'stop', 'cancel'];
const buttons = ['Keep running, quit when finished', 'Stop them and quit', 'Cancel'];

/** Leaving the app in order: with runs active the user decides; the engine is closed before the process ends. */
export class QuitFlow {
  readonly #parts: QuitParts;
  /** In `waiting` the runs go on without a window; asking to quit once more asks the user once more. */
  #state: 'staying' | 'asking' | 'waiting' | 'leaving' | 'left' = 'staying';
  /** Counts the questions, so that a wait which a later answer has replaced comes to nothing. */
  #question = 0;

  constructor(parts: QuitParts) {
    this.#parts = parts;
  }

  /** Handles `before-quit`. */
  onBeforeQuit(event: { preventDefault(): void }): void {
    if (this.#state === 'left') return;
    event.preventDefault();
    if (this.#state === 'asking' || this.#state === 'leaving') return;
    this.#quitWhenSettled().catch((thrown: unknown) => {
      this.#state = 'staying';
      this.#parts.reportFailure(thrown);
    });
  }

  async #quitWhenSettled(): Promise<void> {
    const count = this.#parts.activeRuns();
    const choice = count === 0 ? 'stop' : await this.#ask(count);
    if (choice === 'cancel') this.#state = 'staying';
    if (choice === 'stop' || (choice === 'keep' && (await this.#waitForRuns()))) await this.#leave();
  }

  async #ask(count: number): Promise<Choice> {
    this.#state = 'asking';
    this.#question += 1;
    const { response } = await this.#parts.ask({
      type: 'question',
      title: 'Quit Stepwright',
      message: count === 1 ? 'A run is still active' : `${count} runs are still active`,
      detail:
        'Stepwright can stay in the background until they have finished, or stop them now: their abort and exit handlers run.',
      buttons,
      defaultId: choices.indexOf('keep'),
      cancelId: choices.indexOf('cancel'),
      noLink: true,
    });
    return choices[response] ?? 'cancel';
  }

  /** Whether to leave afterwards: not when the user has opened the window again or was asked again. */
  async #waitForRuns(): Promise<boolean> {
    const question = this.#question;
    this.#state = 'waiting';
    this.#parts.closeWindow();
    await this.#parts.runsEnded();
    if (this.#question !== question) return false;
    if (!this.#parts.isWindowOpen()) return true;
    this.#state = 'staying';
    return false;
  }

  async #leave(): Promise<void> {
    this.#state = 'leaving';
    // An engine that cannot be closed must not hold the user; the next start finds its runs as after a crash.
    await this.#parts.closeEngine().catch(this.#parts.reportFailure);
    this.#state = 'left';
    this.#parts.quit();
  }
}
