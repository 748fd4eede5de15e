import { AppError } from '../../base/errors.ts';

/** A bucket and where in it. */
export interface ObjectAddress {
  readonly bucket: string;
  /** Before all keys: empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string | undefined;
  /** Of a server other than that of AWS. */
  readonly endpoint: string | undefined;
  /** Whether the bucket is part of the path rather than of the host name. */
  readonly isPathStyle: boolean;
}

/**
 * Reads `s3://bucket/prefix?endpoint=https://host&region=eu-central-1&pathStyle=false`. Servers other than that of AWS
 * are asked by path unless it says otherwise, since few of them have a host name for each bucket. Throws
 * `invalid_config`.
 */
export function readObjectAddress(text: string): ObjectAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 's3:' || url.hostname === '')
    throw new AppError(
      'invalid_config',
      'Invalid object store URL. Use s3://bucket/prefix?region=REGION (objectStore.url, ENGINE_OBJECT_STORE_URL).',
    );
  const prefix = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, '');
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  const pathStyle = url.searchParams.get('pathStyle');
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: url.searchParams.get('region') ?? undefined,
    endpoint,
    isPathStyle: pathStyle === null ? endpoint !== undefined : pathStyle === 'true',
  };
}
