import type { EngineMessage } from './engine-messages.ts';

/** Milliseconds between two lines about layers in progress. */
const betweenLinesMs = 5000;

/**
 * Converts the pull progress of a container engine to log lines: one line per completed layer and a periodic summary.
 * The container engine itself sends thousands of messages.
 */
export class PullProgress {
  readonly #layers = new Map<string, { done: boolean; current: number; total: number }>();
  readonly #say: (line: string) => void;
  readonly #monotonic: () => number;
  #reportedAt: number;

  constructor(say: (line: string) => void, monotonic: () => number) {
    this.#say = say;
    this.#monotonic = monotonic;
    this.#reportedAt = monotonic();
  }

  add({ status, id, progressDetail }: EngineMessage): void {
    if (typeof status !== 'string') return;
    if (typeof id !== 'string' || !/^[0-9a-f]{6,}$/.test(id)) {
      if (/^(Digest|Status):/.test(status)) this.#say(status);
      return;
    }
    const layer = this.#layers.get(id) ?? { done: false, current: 0, total: 0 };
    this.#layers.set(id, layer);
    const detail = (progressDetail ?? {}) as { current?: unknown; total?: unknown };
    if (status === 'Downloading' && typeof detail.current === 'number') {
      layer.current = detail.current;
      layer.total = typeof detail.total === 'number' ? detail.total : layer.total;
    }
    if (!layer.done && /^(Pull complete|Download complete|Already exists)/.test(status)) {
      layer.done = true;
      this.#notify(`${status}: layer ${id.slice(0, 12)}`);
    } else if (this.#monotonic() - this.#reportedAt >= betweenLinesMs) this.#notify('Downloading');
  }

  #notify(what: string): void {
    this.#reportedAt = this.#monotonic();
    const layers = [...this.#layers.values()];
    const done = layers.filter((layer) => layer.done).length;
    const bytes = layers.reduce((sum, { current }) => sum + current, 0);
    const size = bytes === 0 ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`;
    this.#say(`${what} (${done} of ${layers.length} layers${size})`);
  }
}
