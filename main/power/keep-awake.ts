import type { PowerSaveBlocker } from 'electron';

/** Prevents the machine from sleeping while runs are active, if the user has enabled that. */
export class KeepAwake {
  readonly #blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
  #id: number | undefined;

  constructor(blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>) {
    this.#blocker = blocker;
  }

  get isOn(): boolean {
    return this.#id !== undefined;
  }

  /** The display may still turn off. */
  set(isWanted: boolean): void {
    if (isWanted) this.#id ??= this.#blocker.start('prevent-app-suspension');
    else if (this.#id !== undefined) {
      this.#blocker.stop(this.#id);
      this.#id = undefined;
    }
  }
}
