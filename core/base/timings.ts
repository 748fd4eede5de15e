/** Periods of real time that nothing but waiting passes in a real process, milliseconds. */
const defaults = {
  /** How often a host says that it is alive. */
  hostBeat: 5000,
  /** How long a host whose beat has stopped keeps its runs. */
  hostLease: 30_000,
  /** How long a service, such as the scheduler, stays with a holder that does not renew it. */
  serviceLease: 8000,
  /** How often the holder of a service renews its lease, and others ask for it. */
  serviceRenewal: 3000,
  /** How often a host looks whether its home is there, and has space. */
  homeLook: 10_000,
  /** How long a claimed run of a queue may take to become active. */
  queueActivation: 10_000,
  /** How long a statement waits for another process's transaction. */
  databaseLock: 5000,
  /** A process that is halted in a transaction on a server loses it after this, so that nobody waits for ever. */
  idleTransaction: 10_000,
  /** How often a step supervisor that has something to do is asked for a sign of life. */
  supervisorPing: 5000,
  /** How long a step supervisor may take to answer when a process is to be ended. */
  supervisorAnswer: 3000,
  /** How long the head of an HTTP request may take. */
  requestHead: 15_000,
  /** How often HTTP requests that take too long are looked for. */
  requestCheck: 5000,
  /** How often the event loop says that it turns. */
  stallBeat: 1000,
  /** How long the event loop may stand still until the watchdog asks for the stack. */
  stallNote: 3000,
  /** The same until it warns. */
  stallWarning: 10_000,
  /** The same until it ends the process. */
  stallEnd: 30_000,
  /** How long a process that was told to end may take beyond the clean-up times of its runs. */
  stallGrace: 15_000,
};

export type Timings = Readonly<typeof defaults>;

const current = { ...defaults };

/** Read them when they are needed, not when a module is loaded: fail points may be armed in between. */
export const timings: Timings = current;

/** Shortens some for tests; the others are as usual. */
export function shortenTimings(changes: Partial<Timings>): void {
  Object.assign(current, defaults, changes);
}
