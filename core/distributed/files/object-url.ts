import { AppError } from '../../base/errors.ts';

/** A bucket with a key prefix. */
export interface ObjectUrl {
  readonly bucket: string;
  /** Key prefix: empty, or with a trailing slash. */
  readonly prefix: string;
  readonly region: string | undefined;
  /** Endpoint of a server other than AWS. */
  readonly endpoint: string | undefined;
  /** Whether the bucket is in the path instead of the host name. */
  readonly isPathStyle: boolean;
}

/**
 * Parses `s3://bucket/prefix?endpoint=https://host&region=eu-central-1&pathStyle=false`. Path style is the default for
 * servers other than AWS, since few of them have a host name per bucket. Throws `invalid_config`.
 */
export function parseObjectUrl(text: string): ObjectUrl {
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
