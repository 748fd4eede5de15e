import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import type { FileRange, ArtifactInfo } from '../../run/remote/task-files.ts';

/** A listed object. */
export interface ObjectEntry {
  readonly key: string;
  readonly bytes: number;
  /** Time of the last write, epoch milliseconds. */
  readonly at: number;
}

/** Maximum number of parallel deletions. */
const maxParallelDeletes = 16;

/**
 * Operations on an object storage bucket. Keys exclude the prefix of the address. Credentials come from the AWS SDK's
 * default chain: variables, profiles, the role of the machine or pod. Each operation rejects with `unavailable` and
 * the bucket name if the server is unreachable, busy, or rejects.
 */
export class Bucket {
  readonly #client: S3Client;
  readonly #address: ObjectUrl;

  constructor(url: string) {
    const address = parseObjectUrl(url);
    this.#address = address;
    const { endpoint, region, isPathStyle } = address;
    this.#client = new S3Client({
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(region === undefined ? {} : { region }),
      forcePathStyle: isPathStyle,
      // Most servers other than AWS do not support trailing checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  /** Stores bytes under a key and replaces an existing object. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#try(() =>
      this.#client.send(new PutObjectCommand({ ...this.#at(key), Body: bytes, ContentLength: bytes.length })),
    );
  }

  /** Stores a stream of any length under a key, atomically. */
  async upload(key: string, content: Readable): Promise<void> {
    const upload = new Upload({ client: this.#client, params: { ...this.#at(key), Body: content } });
    await this.#try(() => upload.done());
  }

  /** Returns an object or a part of it; undefined if missing. */
  async get(key: string, fileRange?: FileRange): Promise<ArtifactInfo | undefined> {
    return await this.#try(async () => {
      try {
        const range = fileRange === undefined ? {} : { Range: writeRange(fileRange) };
        const object = await this.#client.send(new GetObjectCommand({ ...this.#at(key), ...range }));
        const bytes = wholeSize(object.ContentRange) ?? object.ContentLength ?? 0;
        return { ...toArtifactVersion(object), bytes, content: object.Body as Readable };
      } catch (error) {
        const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
        if (status === 404) return undefined;
        if (status === 416) return await this.#stat(key);
        throw error;
      }
    });
  }

  /** Returns an object for a range beyond its end; it may be empty. */
  async #stat(key: string): Promise<ArtifactInfo> {
    const object = await this.#client.send(new HeadObjectCommand(this.#at(key)));
    return { ...toArtifactVersion(object), bytes: object.ContentLength ?? 0, content: Readable.from([]) };
  }

  /**
   * Lists all objects with a key prefix, in key order.
   * @param after only keys after this one
   */
  async list(prefix: string, after?: string): Promise<ObjectEntry[]> {
    const { bucket, prefix: before } = this.#address;
    const object: ObjectEntry[] = [];
    for (let token: string | undefined, isMore = true; isMore;) {
      const command = new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: before + prefix,
        ...(after === undefined ? {} : { StartAfter: before + after }),
        ...(token === undefined ? {} : { ContinuationToken: token }),
      });
      const page = await this.#try(() => this.#client.send(command));
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
        object.push({ key: Key.slice(before.length), bytes: Size, at: LastModified?.getTime() ?? 0 });
      token = page.NextContinuationToken;
      isMore = page.IsTruncated === true && token !== undefined;
    }
    return object;
  }

  /**
   * Deletes objects; missing ones are ignored. Uses one request each, because the batch request needs a checksum that
   * the SDK no longer sends and other servers require.
   */
  async remove(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += maxParallelDeletes) {
      const commands = keys
        .slice(from, from + maxParallelDeletes)
        .map((key) => new DeleteObjectCommand(this.#at(key)));
      await this.#try(() => Promise.all(commands.map((command) => this.#client.send(command))));
    }
  }

  #at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#address.bucket, Key: this.#address.prefix + key };
  }

  async #try<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (error) {
      throw this.#storageError(error);
    }
  }

  #storageError(error: unknown): AppError {
    return new AppError(
      'unavailable',
      `Object store error for bucket ${this.#address.bucket}: ${getErrorMessage(error)}`,
      { cause: error, details: { retryAfter: 1 } },
    );
  }
}

const writeRange = ({ offset, length }: FileRange): string =>
  `bytes=${offset}-${length === undefined ? '' : offset + length - 1}`;

/** Returns the size in `bytes 0-9/100`; undefined if missing. */
const wholeSize = (range = ''): number | undefined => {
  const [, size] = /\/(\d+)$/.exec(range) ?? [];
  return size === undefined ? undefined : Number(size);
};

const toArtifactVersion = ({
  LastModified,
  ETag = '',
}: {
  readonly LastModified?: Date | undefined;
  readonly ETag?: string | undefined;
}): Pick<ArtifactInfo, 'at' | 'mark'> => ({
  at: LastModified?.getTime() ?? 0,
  mark: ETag.replaceAll('"', ''),
});

/** A bucket with a key prefix. */
interface ObjectUrl {
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
function parseObjectUrl(text: string): ObjectUrl {
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
