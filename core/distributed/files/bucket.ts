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
import { AppError, messageOf } from '../../base/errors.ts';
import type { FilePart, FoundArtifact } from '../files-port.ts';
import { readObjectAddress, type ObjectAddress } from './object-address.ts';

/** An object in a list. */
export interface Listed {
  readonly key: string;
  readonly bytes: number;
  /** When it was last written, epoch milliseconds. */
  readonly at: number;
}

/** Removals at a time. */
const together = 16;

/**
 * The few operations on a bucket that there are. Keys are without the prefix of the address. Credentials come from where
 * the SDK of AWS looks: variables, profiles, the role of the machine or the pod. Each rejects with `unavailable` when the
 * server cannot be reached, is busy or refuses, naming the bucket.
 */
export class Bucket {
  readonly #client: S3Client;
  readonly #address: ObjectAddress;

  constructor(url: string) {
    const address = readObjectAddress(url);
    this.#address = address;
    const { endpoint, region, isPathStyle } = address;
    this.#client = new S3Client({
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(region === undefined ? {} : { region }),
      forcePathStyle: isPathStyle,
      // Servers other than that of AWS know checksums by trailer seldom.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  /** Keeps bytes under a key, replacing what is there. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#try(() =>
      this.#client.send(new PutObjectCommand({ ...this.#at(key), Body: bytes, ContentLength: bytes.length })),
    );
  }

  /** Keeps a stream of any length under a key; it appears when it is whole. */
  async upload(key: string, content: Readable): Promise<void> {
    const upload = new Upload({ client: this.#client, params: { ...this.#at(key), Body: content } });
    await this.#try(() => upload.done());
  }

  /** All of an object, or a part. Undefined when there is none. */
  async get(key: string, part?: FilePart): Promise<FoundArtifact | undefined> {
    return await this.#try(async () => {
      try {
        const range = part === undefined ? {} : { Range: writeRange(part) };
        const found = await this.#client.send(new GetObjectCommand({ ...this.#at(key), ...range }));
        const bytes = wholeSize(found.ContentRange) ?? found.ContentLength ?? 0;
        return { ...describe(found), bytes, content: found.Body as Readable };
      } catch (thrown) {
        const status = thrown instanceof S3ServiceException ? thrown.$metadata.httpStatusCode : undefined;
        if (status === 404) return undefined;
        if (status === 416) return await this.#look(key);
        throw thrown;
      }
    });
  }

  /** An object of which nothing is asked that it has: it may be empty. */
  async #look(key: string): Promise<FoundArtifact> {
    const found = await this.#client.send(new HeadObjectCommand(this.#at(key)));
    return { ...describe(found), bytes: found.ContentLength ?? 0, content: Readable.from([]) };
  }

  /**
   * All objects whose keys begin so, in the order of their keys.
   * @param after a key; only those behind it are listed
   */
  async list(prefix: string, after?: string): Promise<Listed[]> {
    const { bucket, prefix: before } = this.#address;
    const found: Listed[] = [];
    for (let token: string | undefined, isMore = true; isMore;) {
      const command = new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: before + prefix,
        ...(after === undefined ? {} : { StartAfter: before + after }),
        ...(token === undefined ? {} : { ContinuationToken: token }),
      });
      const page = await this.#try(() => this.#client.send(command));
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
        found.push({ key: Key.slice(before.length), bytes: Size, at: LastModified?.getTime() ?? 0 });
      token = page.NextContinuationToken;
      isMore = page.IsTruncated === true && token !== undefined;
    }
    return found;
  }

  /**
   * Removes objects; those that are not there are fine. Each by a request of its own: the one for many takes a checksum
   * that the SDK makes no more and that other servers ask for.
   */
  async remove(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += together) {
      const commands = keys.slice(from, from + together).map((key) => new DeleteObjectCommand(this.#at(key)));
      await this.#try(() => Promise.all(commands.map((command) => this.#client.send(command))));
    }
  }

  #at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#address.bucket, Key: this.#address.prefix + key };
  }

  async #try<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (thrown) {
      throw this.#refuse(thrown);
    }
  }

  #refuse(thrown: unknown): AppError {
    return new AppError(
      'unavailable',
      `Object store error for bucket ${this.#address.bucket}: ${messageOf(thrown)}`,
      { cause: thrown, details: { retryAfter: 1 } },
    );
  }
}

const writeRange = ({ offset, length }: FilePart): string =>
  `bytes=${offset}-${length === undefined ? '' : offset + length - 1}`;

/** The size in `bytes 0-9/100`; undefined when it says none. */
const wholeSize = (range = ''): number | undefined => {
  const [, size] = /\/(\d+)$/.exec(range) ?? [];
  return size === undefined ? undefined : Number(size);
};

const describe = ({
  LastModified,
  ETag = '',
}: {
  readonly LastModified?: Date | undefined;
  readonly ETag?: string | undefined;
}): Pick<FoundArtifact, 'at' | 'mark'> => ({
  at: LastModified?.getTime() ?? 0,
  mark: ETag.replaceAll('"', ''),
});
