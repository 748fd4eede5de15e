import { key, optionalKey, secretKey, type ConfigTable } from '../config-key.ts';
import { labelPairs } from '../values/read-labels.ts';
import { filePath, text, words } from '../values/read-texts.ts';
import { duration, wholeNumber } from '../values/read-values.ts';

/** What `engine worker` is and whom it works for (docs/distributed.md). */
export const workerSection = {
  /** Addresses of coordinators; it sticks to the first one that answers. */
  coordinators: key(words, [], 'ENGINE_WORKER_COORDINATORS'),
  /** What `workerSelector` of workflows and steps asks for. */
  labels: key(labelPairs, {}, 'ENGINE_WORKER_LABELS'),
  /** Steps it runs at once; as many as the machine has processors when absent. */
  slots: optionalKey(wholeNumber(1, 10_000), 'ENGINE_WORKER_SLOTS'),
  /** Its name; one of its own that it keeps when absent. */
  id: optionalKey(text, 'ENGINE_WORKER_ID'),
  /** By which it joins, when coordinators ask for no certificate. */
  token: secretKey(text, 'ENGINE_WORKER_TOKEN'),
  /** A file with that token. */
  tokenFile: optionalKey(filePath, 'ENGINE_WORKER_TOKEN_FILE'),
  tls: {
    /** Authorities of the coordinators' certificates in PEM, instead of those of the system. */
    caFile: optionalKey(filePath, 'ENGINE_WORKER_TLS_CA'),
    /** Its own certificate in PEM: the common name is its id. */
    certFile: optionalKey(filePath, 'ENGINE_WORKER_TLS_CERT'),
    keyFile: optionalKey(filePath, 'ENGINE_WORKER_TLS_KEY'),
  },
  /** Its own folder: `worker` in the home when absent. */
  dir: optionalKey(filePath, 'ENGINE_WORKER_DIR'),
  /** How long it lets steps go on when it is told to end. */
  drainTimeout: key(duration(0), 600, 'ENGINE_WORKER_DRAIN_TIMEOUT'),
  /** Days that the files of tasks that were taken away from it are kept. */
  keepLostDays: key(wholeNumber(0, 3650), 7, 'ENGINE_WORKER_KEEP_LOST_DAYS'),
} as const satisfies ConfigTable;
