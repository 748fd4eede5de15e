import { authSection } from './sections/auth-section.ts';
import { key, optionalKey, type ConfigTable } from './config-key.ts';
import { coordinatorSection } from './sections/coordinator-section.ts';
import { databaseSection } from './sections/database-section.ts';
import { gatewaySection } from './sections/gateway-section.ts';
import { objectStoreSection } from './sections/object-store-section.ts';
import { pathsSection } from './sections/paths-section.ts';
import { readQueues } from './values/read-queue.ts';
import { duration, flag, oneOf, trueOnly, timeZone, wholeNumber } from './values/read-values.ts';
import { filePath, text } from './values/read-texts.ts';
import { quotesSection } from './sections/quotes-section.ts';
import { serverSection } from './sections/server-section.ts';
import { uiSection } from './sections/ui-section.ts';
import { workerSection } from './sections/worker-section.ts';

const roleAdvice = 'Use roles instead: set AUTH_MODE, and give callers the role operator or viewer';

/**
 * Every key of the configuration file and its environment variables. Durations are in seconds and may be written as
 * `90`, `90s`, `1h30m` or `7d`.
 */
export const configTable = {
  /** Time zone of schedules without one. Default: that of the machine. */
  tz: key(timeZone, undefined, 'ENGINE_TZ'),
  /** Whether a new home is created without sample workflows. */
  skipExamples: key(flag, false, 'ENGINE_SKIP_EXAMPLES'),
  /** Log format of long-running processes on stderr. */
  logFormat: key(oneOf('text', 'json'), 'text', 'ENGINE_LOG_FORMAT'),
  /** Shell of steps whose workflow specifies none: a program with its flags. */
  defaultShell: optionalKey(text, 'ENGINE_DEFAULT_SHELL'),
  /** Working directory of workflows that specify none. */
  workDir: optionalKey(filePath, 'ENGINE_WORK_DIR'),
  paths: pathsSection,
  database: databaseSection,
  ui: uiSection,
  server: serverSection,
  auth: authSection,
  /** In Dagu, restrictions for all callers. In Stepwright, roles define permissions. */
  permissions: {
    writeDAGs: key(trueOnly(roleAdvice), true),
    runDAGs: key(trueOnly(roleAdvice), true),
  },
  scheduler: {
    /** Port of the health check of `engine scheduler`; 0 disables it. */
    port: key(wholeNumber(0, 65_535), 8090, 'ENGINE_SCHEDULER_PORT'),
    /** Seconds between two searches for runs of hosts that have ended; 0 disables them. */
    zombieDetectionInterval: key(
      duration(1, 'no detection'),
      45,
      'ENGINE_SCHEDULER_ZOMBIE_DETECTION_INTERVAL',
    ),
    /** Handling of active runs when `engine scheduler` stops, as for the server. */
    onStop: key(oneOf('stop', 'leave'), 'stop', 'ENGINE_SCHEDULER_ON_STOP'),
    /** Default for missed scheduled runs: none, the last one, or all are run. */
    catchup: key(oneOf('skip', 'last', 'all'), 'skip'),
    /** Default for how far back missed scheduled runs are searched. */
    catchupWindow: key(duration(60), 24 * 3600),
  },
  queues: {
    /** Whether runs can be queued. */
    enabled: key(flag, true, 'ENGINE_QUEUE_ENABLED'),
    /** Queues with their own limit; other queues use the limit of their workflow. */
    config: key(readQueues, []),
  },
  history: {
    /** Retention of finished runs of workflows without `histRetentionDays`, in days; negative to keep them forever. */
    retentionDays: key(wholeNumber(-1, 36_500), 30, 'ENGINE_HISTORY_RETENTION_DAYS'),
    /** Number of retained runs of workflows without `histRetentionRuns`; 0 for no limit. */
    retentionRuns: key(wholeNumber(0, 1_000_000), 0, 'ENGINE_HISTORY_RETENTION_RUNS'),
  },
  quotes: quotesSection,
  gateway: gatewaySection,
  coordinator: coordinatorSection,
  worker: workerSection,
  objectStore: objectStoreSection,
  monitor: {
    /** Seconds between two readings of resource usage; 0 disables monitoring. */
    intervalSec: key(duration(1, 'no monitoring'), 5, 'ENGINE_MONITORING_INTERVAL'),
    /** Retention of readings in seconds. */
    retention: key(duration(60), 24 * 3600, 'ENGINE_MONITORING_RETENTION'),
  },
  webhooks: {
    /** Retention of webhook events and their deliveries in days; longer than the usual retries take. */
    retentionDays: key(wholeNumber(2, 3650), 7, 'ENGINE_WEBHOOKS_RETENTION_DAYS'),
  },
} as const satisfies ConfigTable;
