import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { AppError, messageOf } from '../../base/errors.ts';
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

  /** Undefined when there is none. */
  async get(key: string): Promise<{ readonly bytes: number; readonly content: Readable } | undefined> {
    return await this.#try(async () => {
      try {
        const { Body: content, ContentLength: bytes = 0 } = await this.#client.send(
          new GetObjectCommand(this.#at(key)),
        );
        return content === undefined ? undefined : { bytes, content: content as Readable };
      } catch (thrown) {
        if (thrown instanceof S3ServiceException && thrown.$metadata.httpStatusCode === 404) return undefined;
        throw thrown;
      }
    });
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
      `The object store ${this.#address.bucket} does not do what it was asked: ${messageOf(thrown)}`,
      { cause: thrown, details: { retryAfter: 1 } },
    );
  }
}
