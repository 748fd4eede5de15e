import { AppError } from '../../base/errors.ts';
import type { OperationInput, OperationOutput } from '../operations.ts';

/** Names an artifact. */
export type ArtifactAddress = Pick<OperationInput<'runs.artifactBytes'>, 'name' | 'dagRunId' | 'artifact'>;

/** Has `runs.artifactBytes` done. */
export type CallArtifactBytes = (
  input: OperationInput<'runs.artifactBytes'>,
) => Promise<OperationOutput<'runs.artifactBytes'>>;

/** A part of an artifact. */
export interface ArtifactPart {
  /** Base64. */
  readonly data: string;
  /** Byte after it. */
  readonly next: number;
  /** Of the whole artifact. */
  readonly size: number;
}

/** Bytes that are read at a time; as the operation takes them at most. */
const partBytes = 1_048_576;

/** Bytes of base64, without its padding. */
const countBytes = (data: string): number => Math.floor((data.replace(/=+$/, '').length * 3) / 4);

/**
 * An artifact from `from` to before `to`, or its end, in parts that memory can hold; none of an empty one. Throws
 * `conflict` when it is replaced meanwhile, and what the operation refuses with.
 * @param known its `mark`, when some of it has been read before
 */
export async function* readArtifact(
  call: CallArtifactBytes,
  address: ArtifactAddress,
  { from = 0, to = Infinity, known }: { from?: number; to?: number; known?: string } = {},
): AsyncGenerator<ArtifactPart> {
  let mark = known;
  for (let offset = from, end = to; offset < end;) {
    const { data, size, ...part } = await call({
      ...address,
      offset,
      length: Math.min(partBytes, end - offset),
    });
    mark ??= part.mark;
    end = Math.min(to, size);
    if (part.mark !== mark || (data === '' && offset < end))
      throw new AppError(
        'conflict',
        `Artifact "${address.artifact}" changed while it was being read. Download it again.`,
      );
    offset += countBytes(data);
    if (data !== '') yield { data, next: offset, size };
  }
}
