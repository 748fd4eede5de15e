import type { MessageBoxOptions } from 'electron';

/** What leaving needs of the app and of the engine. */
export interface QuitParts {
  activeRuns(): number;
  ask(options: MessageBoxOptions): Promise<{ response: number }>;
  /** Resolves when the runs of this host have ended. */
  runsEnded(): Promise<void>;
  /** Stops runs that are still active (their handlers run) and closes the engine. */
  closeEngine(): Promise<void>;
  closeWindow(): void;
  /** Ends the process; `before-quit` comes once more and is let pass. */
  quit(): void;
  reportFailure(thrown: unknown): void;
}

const choices = ['Keep running, quit when finished', 'Stop them and quit', 'Cancel'];
const cancelChoice = 2;

/** Leaving the app in order: with runs active the user decides; the engine is closed before the process ends. */
export class QuitFlow {
  readonly #parts: QuitParts;
  #state: 'staying' | 'asking' | 'leaving' | 'left' = 'staying';

  constructor(parts: QuitParts) {
    this.#parts = parts;
  }

  /** Handles `before-quit`. */
  onBeforeQuit(event: { preventDefault(): void }): void {
    if (this.#state === 'left') return;
    event.preventDefault();
    if (this.#state === 'asking' || this.#state === 'leaving') return;
    this.#leave().catch((thrown: unknown) => {
      this.#state = 'staying';
      this.#parts.reportFailure(thrown);
    });
  }

  async #leave(): Promise<void> {
    const count = this.#parts.activeRuns();
    if (count > 0 && !(await this.#decide(count))) return;
    this.#state = 'leaving';
    await this.#parts.closeEngine();
    this.#state = 'left';
    this.#parts.quit();
  }

  /** False when the user would rather stay. */
  async #decide(count: number): Promise<boolean> {
    this.#state = 'asking';
    const { response } = await this.#parts.ask({
      type: 'question',
      title: 'Quit Stepwright',
      message: count === 1 ? 'A run is still active' : `${count} runs are still active`,
      detail:
        'Stepwright can stay in the background until they have finished, or stop them now: their abort and exit handlers run.',
      buttons: choices,
      defaultId: 0,
      cancelId: cancelChoice,
      noLink: true,
    });
    if (response === cancelChoice) {
      this.#state = 'staying';
      return false;
    }
    if (response === 0) {
      this.#state = 'leaving';
      this.#parts.closeWindow();
      await this.#parts.runsEnded();
    }
    return true;
  }
}
