import { optionalKey, type ConfigTable, type ReadValue } from '../config-key.ts';
import { scalar } from '../values/read-values.ts';

const objectStoreUrl: ReadValue<string> = scalar(
  'a bucket such as s3://bucket/prefix?region=eu-central-1 (add endpoint=https://host for servers other than AWS; set credentials with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)',
  (written) => {
    const url = URL.canParse(written) ? new URL(written) : undefined;
    const endpoint = url?.searchParams.get('endpoint');
    const isGood =
      url?.protocol === 's3:' &&
      url.hostname !== '' &&
      url.username === '' &&
      url.password === '' &&
      (endpoint === null || endpoint === undefined || /^https?:\/\/[^/]/.test(endpoint));
    return isGood ? written : undefined;
  },
);

/** Storage for logs and artifacts of remote work (docs/distributed.md). */
export const objectStoreSection = {
  /** Absent for the run directories, which hosts and coordinators must then share. */
  url: optionalKey(objectStoreUrl, 'ENGINE_OBJECT_STORE_URL'),
} as const satisfies ConfigTable;
