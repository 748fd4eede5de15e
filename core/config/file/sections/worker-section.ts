import { key, optionalKey, secretKey, type ConfigTable } from '../config-key.ts';
import { labelPairs } from '../values/read-labels.ts';
import { filePath, text, wordList } from '../values/read-texts.ts';
import { duration, wholeNumber } from '../values/read-values.ts';

/** Settings of `engine worker` (docs/distributed.md). */
export const workerSection = {
  /** Addresses of coordinators; the worker stays with the first one that responds. */
  coordinators: key(wordList, [], 'ENGINE_WORKER_COORDINATORS'),
  /** Labels that `workerSelector` of workflows and steps matches. */
  labels: key(labelPairs, {}, 'ENGINE_WORKER_LABELS'),
  /** Maximum number of concurrent steps. Default: the number of processors. */
  slots: optionalKey(wholeNumber(1, 10_000), 'ENGINE_WORKER_SLOTS'),
  /** Name of the worker. Default: a generated name that stays the same. */
  id: optionalKey(text, 'ENGINE_WORKER_ID'),
  /** Token for joining, if coordinators require no certificate. */
  token: secretKey(text, 'ENGINE_WORKER_TOKEN'),
  /** A file that contains the token. */
  tokenFile: optionalKey(filePath, 'ENGINE_WORKER_TOKEN_FILE'),
  tls: {
    /** CA certificates of the coordinators in PEM, instead of those of the system. */
    caFile: optionalKey(filePath, 'ENGINE_WORKER_TLS_CA'),
    /** Certificate of the worker in PEM; the common name is its id. */
    certFile: optionalKey(filePath, 'ENGINE_WORKER_TLS_CERT'),
    keyFile: optionalKey(filePath, 'ENGINE_WORKER_TLS_KEY'),
  },
  /** Data folder. Default: `worker` in the home. */
  dir: optionalKey(filePath, 'ENGINE_WORKER_DIR'),
  /** Seconds that running steps may take when the worker stops. */
  drainTimeout: key(duration(0), 600, 'ENGINE_WORKER_DRAIN_TIMEOUT'),
  /** Retention of files of reassigned tasks in days. */
  keepLostDays: key(wholeNumber(0, 3650), 7, 'ENGINE_WORKER_KEEP_LOST_DAYS'),
} as const satisfies ConfigTable;
