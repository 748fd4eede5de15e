import type { Clock, Dispose } from '../../../../core/base/clock.ts';
import type { LayoutView } from '../../../../core/contract/workflows/layouts.ts';

/** Pause in the moving after which places are written. */
const pauseMs = 600;

interface KeeperPorts {
  readonly clock: Clock;
  readonly put: (layout: LayoutView) => Promise<unknown>;
  /** Places could not be kept; the next time they may be. */
  readonly onFailure: (failure: unknown) => void;
}

/** Writes the newest places of the cards after a pause; one write at a time. */
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

  /** Writes at once what is still waiting. */
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
