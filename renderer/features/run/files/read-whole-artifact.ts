import type { Bridge } from '../../../../core/contract/transport/bridge.ts';
import { readArtifact, type ArtifactAddress } from '../../../../core/contract/transport/read-artifact.ts';

/**
 * A file that a step has kept, part by part; the browser keeps them, on disk when there are many. Rejects with
 * `conflict` when it is replaced meanwhile.
 * @param tell told of the share that has been read
 */
export async function readWholeArtifact(
  bridge: Pick<Bridge, 'call'>,
  address: ArtifactAddress,
  tell: (share: number) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  for await (const { data, next, size } of readArtifact(
    (input) => bridge.call('runs.artifactBytes', input),
    address,
  )) {
    parts.push(new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))]));
    tell(next / size);
  }
  return new Blob(parts, { type: 'application/octet-stream' });
}
