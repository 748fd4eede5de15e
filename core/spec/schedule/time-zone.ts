/** A clock change. */
export interface Transition {
  /** The first instant with the new offset, in epoch milliseconds. */
  readonly at: number;
  /** Milliseconds to add to UTC before the change and from it on. */
  readonly before: number;
  readonly after: number;
}

/** No zone has changed its clock twice within less than a week since the year 2000. */
const stepMs = 6 * 86_400_000;

/** The clock of one time zone. Its changes are read from the system's tables, a year at a time. */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #years = new Map<number, readonly Transition[]>();
  readonly #stableOffsets = new Map<number, number>();

  /** @param name IANA name. Throws a `RangeError` for an unknown one. */
  constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** Returns the milliseconds to add to UTC at an instant. */
  offsetAt(instant: number): number {
    const year = new Date(instant).getUTCFullYear();
    const changes = this.#getChanges(year);
    if (changes.length === 0) return this.#stable(year, instant);
    let offset = changes[0]!.before;
    for (const change of changes) if (instant >= change.at) offset = change.after;
    return offset;
  }

  /** Returns the first clock change after an instant, up to another one. */
  nextChange(after: number, until: number): Transition | undefined {
    const lastYear = new Date(until).getUTCFullYear();
    for (let year = new Date(after).getUTCFullYear(); year <= lastYear; year += 1) {
      const change = this.#getChanges(year).find(({ at }) => at > after);
      if (change !== undefined) return change.at <= until ? change : undefined;
    }
    return undefined;
  }

  /** For a year without a clock change. */
  #stable(year: number, instant: number): number {
    const known = this.#stableOffsets.get(year);
    if (known !== undefined) return known;
    const offset = this.#readOffset(instant);
    this.#stableOffsets.set(year, offset);
    return offset;
  }

  /** Returns the changes within a year of UTC. */
  #getChanges(year: number): readonly Transition[] {
    const known = this.#years.get(year);
    if (known !== undefined) return known;
    const end = Date.UTC(year + 1, 0);
    const changes: Transition[] = [];
    let from = Date.UTC(year, 0) - 1000;
    let before = this.#readOffset(from);
    while (from < end - 1000) {
      const to = Math.min(from + stepMs, end - 1000);
      const after = this.#readOffset(to);
      if (after !== before) changes.push({ at: this.#bisect(from, to, before), before, after });
      [from, before] = [to, after];
    }
    this.#years.set(year, changes);
    return changes;
  }

  /** Returns the first second with another offset. */
  #bisect(from: number, to: number, before: number): number {
    let [low, high] = [from / 1000, to / 1000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#readOffset(middle * 1000) === before) low = middle;
      else high = middle;
    }
    return high * 1000;
  }

  #readOffset(instant: number): number {
    const [month = 0, day, year = 0, hour, minute, second] = (
      this.#format.format(instant).match(/\d+/g) ?? []
    ).map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
  }
}

const zones = new Map<string, TimeZone>();

/** Returns the zone with a name, or the machine's. Throws a `RangeError` for an unknown one. */
export function findTimeZone(name?: string): TimeZone {
  const requested = name ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  let zone = zones.get(requested);
  if (zone === undefined) zones.set(requested, (zone = new TimeZone(requested)));
  return zone;
}
