import { AppError } from '../../base/errors.ts';
import type { OperationInput, OperationOutput } from '../operations.ts';

/** Identifies an artifact. */
export type ArtifactRef = Pick<OperationInput<'runs.artifactBytes'>, 'name' | 'dagRunId' | 'artifact'>;

/** Calls `runs.artifactBytes`. */
export type CallArtifactBytes = (
  input: OperationInput<'runs.artifactBytes'>,
) => Promise<OperationOutput<'runs.artifactBytes'>>;

/** A part of an artifact. */
export interface ArtifactPart {
  /** Base64. */
  readonly data: string;
  /** Offset after the part. */
  readonly next: number;
  /** Size of the whole artifact in bytes. */
  readonly size: number;
}

/** Size of a part in bytes; the maximum of the operation. */
const partBytes = 1_048_576;

/** Returns the number of bytes that base64 encodes, excluding padding. */
const countBytes = (data: string): number => Math.floor((data.replace(/=+$/, '').length * 3) / 4);

/**
 * Yields an artifact from `from` (inclusive) to `to` (exclusive) or its end, in parts that fit in memory; none if it
 * is empty.
 * @param known its `mark`, if a part was read before
 * @throws `conflict` if it is replaced in the meantime, and errors of the operation
 */
export async function* readArtifact(
  call: CallArtifactBytes,
  address: ArtifactRef,
  { from = 0, to = Infinity, known }: { from?: number; to?: number; known?: string } = {},
): AsyncGenerator<ArtifactPart> {
  let etag = known;
  for (let offset = from, end = to; offset < end;) {
    const { data, size, ...part } = await call({
      ...address,
      offset,
      length: Math.min(partBytes, end - offset),
    });
    etag ??= part.mark;
    end = Math.min(to, size);
    if (part.mark !== etag || (data === '' && offset < end))
      throw new AppError(
        'conflict',
        `Artifact "${address.artifact}" changed while it was being read. Download it again.`,
      );
    offset += countBytes(data);
    if (data !== '') yield { data, next: offset, size };
  }
}
