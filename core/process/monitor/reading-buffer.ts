import type { MachineState } from './machine-probe.ts';

/** Stored quantities, in the order of a reading's values. */
export const quantities = [
  'cpu',
  'memory',
  'disk',
  'load',
] as const satisfies readonly (keyof MachineState)[];
export type Quantity = (typeof quantities)[number];

/** A value of a series. */
export interface Point {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly value: number;
}

/** Initial capacity; doubled when full, up to the maximum. */
const initialSize = 1024;

/** Ring buffer of the newest readings in ascending time, 24 bytes each. */
export class ReadingBuffer {
  readonly #capacity: number;
  #times: Float64Array;
  #values: Float32Array;
  /** Index of the oldest reading. */
  #first = 0;
  #count = 0;

  /** @param capacity maximum number of readings */
  constructor(capacity: number) {
    this.#capacity = capacity;
    const size = Math.min(initialSize, capacity);
    this.#times = new Float64Array(size);
    this.#values = new Float32Array(size * quantities.length);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a reading. Readings with the same or a later time are dropped, because the clock was set back. */
  push(at: number, state: MachineState): void {
    while (this.#count > 0 && this.#times[this.#slot(this.#count - 1)]! >= at) this.#count -= 1;
    if (this.#count === this.#times.length) this.#grow();
    const slot = this.#slot(this.#count);
    this.#times[slot] = at;
    quantities.forEach((name, index) => {
      this.#values[slot * quantities.length + index] = state[name];
    });
    this.#count += 1;
  }

  /** Returns values since a time, ascending; readings without this quantity are skipped. */
  list(quantity: Quantity, from: number): Point[] {
    const offset = quantities.indexOf(quantity);
    const points: Point[] = [];
    for (let index = this.#find(from); index < this.#count; index += 1) {
      const slot = this.#slot(index);
      const value = this.#values[slot * quantities.length + offset]!;
      if (!Number.isNaN(value)) points.push({ at: this.#times[slot]!, value });
    }
    return points;
  }

  /** Returns the index of the first reading at or after a time. */
  #find(from: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#times[this.#slot(middle)]! < from) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Grows the buffer, or drops the oldest reading at maximum size. */
  #grow(): void {
    const { length } = this.#times;
    if (length === this.#capacity) {
      this.#first = (this.#first + 1) % length;
      this.#count -= 1;
      return;
    }
    // A buffer below its maximum size has never wrapped around.
    const times = new Float64Array(Math.min(2 * length, this.#capacity));
    const values = new Float32Array(times.length * quantities.length);
    times.set(this.#times);
    values.set(this.#values);
    this.#times = times;
    this.#values = values;
  }

  #slot(index: number): number {
    return (this.#first + index) % this.#times.length;
  }
}
