import type { Clock, Dispose } from '../../../../core/base/clock.ts';
import type { LayoutView } from '../../../../core/contract/workflows/layouts.ts';

/** Pause after the last move before positions are saved. */
const pauseMs = 600;

interface KeeperPorts {
  readonly clock: Clock;
  readonly put: (layout: LayoutView) => Promise<unknown>;
  /** Called when positions could not be saved; the next save may succeed. */
  readonly onFailure: (failure: unknown) => void;
}

/** Saves the latest positions of the cards after a pause, with one write at a time. */
export class LayoutKeeper {
  readonly #ports: KeeperPorts;
  #newest: LayoutView | undefined;
  #cancel: Dispose | undefined;
  #isBusy = false;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
  }

  keep(layout: LayoutView): void {
    this.#newest = layout;
    this.#cancel?.();
    this.#cancel = this.#ports.clock.after(pauseMs, () => this.flush());
  }

  /** Writes pending changes immediately. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const layout = this.#newest;
    if (layout === undefined || this.#isBusy) return;
    this.#newest = undefined;
    this.#isBusy = true;
    void this.#ports
      .put(layout)
      .catch(this.#ports.onFailure)
      .finally(() => {
        this.#isBusy = false;
        if (this.#cancel === undefined) this.flush();
      });
  }
}
