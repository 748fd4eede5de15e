import type { Bridge } from '../../../../core/contract/transport/bridge.ts';
import { readArtifact, type ArtifactRef } from '../../../../core/contract/transport/read-artifact.ts';

/**
 * Downloads an artifact in chunks; the browser stores them, on disk for large files. Rejects with `conflict` if
 * it is replaced in the meantime.
 * @param tell called with the fraction that has been read
 */
export async function readWholeArtifact(
  bridge: Pick<Bridge, 'call'>,
  address: ArtifactRef,
  notify: (share: number) => void,
): Promise<Blob> {
  const blobs: Blob[] = [];
  for await (const { data, next, size } of readArtifact(
    (input) => bridge.call('runs.artifactBytes', input),
    address,
  )) {
    blobs.push(new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))]));
    notify(next / size);
  }
  return new Blob(blobs, { type: 'application/octet-stream' });
}
