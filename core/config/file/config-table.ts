import { authSection } from './sections/auth-section.ts';
import { key, optionalKey, type ConfigTable } from './config-key.ts';
import { coordinatorSection } from './sections/coordinator-section.ts';
import { databaseSection } from './sections/database-section.ts';
import { gatewaySection } from './sections/gateway-section.ts';
import { objectStoreSection } from './sections/object-store-section.ts';
import { pathsSection } from './sections/paths-section.ts';
import { readQueues } from './values/read-queue.ts';
import { duration, flag, oneOf, onlyTrue, timeZone, wholeNumber } from './values/read-values.ts';
import { filePath, text } from './values/read-texts.ts';
import { quotesSection } from './sections/quotes-section.ts';
import { serverSection } from './sections/server-section.ts';
import { uiSection } from './sections/ui-section.ts';
import { workerSection } from './sections/worker-section.ts';

const roleAdvice = 'Use roles instead: set AUTH_MODE, and give callers the role operator or viewer';

/**
 * Every key of the configuration file, with the variable that wins over it. Durations are seconds, and may
 * be written as `90`, `90s`, `1h30m` or `7d`.
 */
export const configTable = {
  /** Zone of schedules that name none; absent means that of the machine. */
  tz: key(timeZone, undefined, 'ENGINE_TZ'),
  /** Whether a new home gets no sample workflows. */
  skipExamples: key(flag, false, 'ENGINE_SKIP_EXAMPLES'),
  /** How the log of a process that stays is written to stderr. */
  logFormat: key(oneOf('text', 'json'), 'text', 'ENGINE_LOG_FORMAT'),
  /** Shell of steps whose workflow names none: a program with its flags. */
  defaultShell: optionalKey(text, 'ENGINE_DEFAULT_SHELL'),
  /** Working directory of workflows that name none. */
  workDir: optionalKey(filePath, 'ENGINE_WORK_DIR'),
  paths: pathsSection,
  database: databaseSection,
  ui: uiSection,
  server: serverSection,
  auth: authSection,
  /** Of Dagu: there, what callers of any kind may not do. Here their roles say so. */
  permissions: {
    writeDAGs: key(onlyTrue(roleAdvice), true),
    runDAGs: key(onlyTrue(roleAdvice), true),
  },
  scheduler: {
    /** Port of the health check of `engine scheduler`; 0 switches it off. */
    port: key(wholeNumber(0, 65_535), 8090, 'ENGINE_SCHEDULER_PORT'),
    /** Time between two searches for runs whose host is gone; 0 switches them off. */
    zombieDetectionInterval: key(
      duration(1, 'no detection'),
      45,
      'ENGINE_SCHEDULER_ZOMBIE_DETECTION_INTERVAL',
    ),
    /** What becomes of active runs when `engine scheduler` is told to end, as for the server. */
    onStop: key(oneOf('stop', 'leave'), 'stop', 'ENGINE_SCHEDULER_ON_STOP'),
    /** What becomes of slots missed, for workflows that do not say: none, the last one, or all are run. */
    catchup: key(oneOf('skip', 'last', 'all'), 'skip'),
    /** How far back missed slots are looked for, for workflows that do not say. */
    catchupWindow: key(duration(60), 24 * 3600),
  },
  queues: {
    /** Whether runs may wait for one another. */
    enabled: key(flag, true, 'ENGINE_QUEUE_ENABLED'),
    /** Queues with a limit of their own; the others take that of their workflow. */
    config: key(readQueues, []),
  },
  history: {
    /** Days that ended runs of workflows without `histRetentionDays` are kept; negative for ever. */
    retentionDays: key(wholeNumber(-1, 36_500), 30, 'ENGINE_HISTORY_RETENTION_DAYS'),
    /** Runs of a name that are kept for workflows without `histRetentionRuns`; 0 for any number. */
    retentionRuns: key(wholeNumber(0, 1_000_000), 0, 'ENGINE_HISTORY_RETENTION_RUNS'),
  },
  quotes: quotesSection,
  gateway: gatewaySection,
  coordinator: coordinatorSection,
  worker: workerSection,
  objectStore: objectStoreSection,
  monitor: {
    /** Time between two readings of the machine's resources; 0 switches them off. */
    intervalSec: key(duration(1, 'no monitoring'), 5, 'ENGINE_MONITORING_INTERVAL'),
    /** How long readings are kept. */
    retention: key(duration(60), 24 * 3600, 'ENGINE_MONITORING_RETENTION'),
  },
  webhooks: {
    /** Days that what was told to webhooks is kept, with its deliveries; more than the usual attempts take. */
    retentionDays: key(wholeNumber(2, 3650), 7, 'ENGINE_WEBHOOKS_RETENTION_DAYS'),
  },
} as const satisfies ConfigTable;
