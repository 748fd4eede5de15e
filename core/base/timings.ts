/** Real-time periods, in milliseconds. Only waiting makes them pass in a real process. */
const defaults = {
  /** Interval of a host's heartbeat. */
  hostBeat: 5000,
  /** How long a host without a heartbeat keeps its runs. */
  hostLease: 30_000,
  /** How long a service, such as the scheduler, stays with a holder that does not renew it. */
  serviceLease: 8000,
  /** Interval at which the holder of a service renews its lease, and others try to acquire it. */
  serviceRenewal: 3000,
  /** Interval at which late, long and missing runs and pings are looked for. */
  expectationCheck: 5000,
  /** How long after a deadline it is decided, so that runs that ended in time are recorded. */
  expectationSettle: 2000,
  /** Interval at which a host checks that its home exists and has free space. */
  homeLook: 10_000,
  /** How long a claimed run of a queue may take to become active. */
  queueActivation: 10_000,
  /** How long a statement waits for another process's transaction. */
  databaseLock: 5000,
  /** Time after which a halted process loses its transaction on a server, so that others do not wait forever. */
  idleTransaction: 10_000,
  /** Interval of the pings to a step supervisor that has work. */
  supervisorPing: 5000,
  /** How long a step supervisor may take to respond when a process has to be ended. */
  supervisorAnswer: 3000,
  /** How long the head of an HTTP request may take. */
  requestHead: 15_000,
  /** Interval of the check for HTTP requests that take too long. */
  requestCheck: 5000,
  /** Interval at which the event loop signals that it is running. */
  stallBeat: 1000,
  /** How long the event loop may be blocked until the watchdog asks for the stack. */
  stallNote: 3000,
  /** How long the event loop may be blocked until the watchdog logs a warning. */
  stallWarning: 10_000,
  /** How long the event loop may be blocked until the watchdog ends the process. */
  stallEnd: 30_000,
  /** How long a process that was asked to end may take in addition to the clean-up times of its runs. */
  stallGrace: 15_000,
};

export type Timings = Readonly<typeof defaults>;

const current = { ...defaults };

/** Read values when they are needed, not when a module is loaded: fail points may be armed in between. */
export const timings: Timings = current;

/** Shortens some timings for tests; the others keep their defaults. */
export function overrideTimings(changes: Partial<Timings>): void {
  Object.assign(current, defaults, changes);
}
