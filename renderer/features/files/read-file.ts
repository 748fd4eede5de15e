import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ArtifactRef, type Bridge, readArtifact } from '../../../core/contract/transport.ts';
import type { ArtifactView } from '../../../core/contract/run-steps.ts';
import { RpcWorker, RestartingRpcWorker } from '../../base/rpc-worker.ts';
import { useBridge } from '../../api/bridge.ts';
import { bytesToRead, getFileKind, getImageType, type FileKind } from './file-kind.ts';
import type { ParsedFile, ParseTask } from './parse-file.ts';

/** A file of a run, ready for display. */
export type OpenFile =
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'pdf'; readonly blob: Blob }
  | { readonly kind: 'parsed'; readonly file: ParsedFile };

/**
 * Reads an artifact in chunks; the browser stores them, on disk for large files. Rejects with `conflict` if it is
 * replaced in the meantime.
 * @param notify called with the fraction that has been read
 */
export async function readArtifactBlob(
  bridge: Pick<Bridge, 'call'>,
  address: ArtifactRef,
  { to, notify, signal }: { to?: number; notify: (share: number) => void; signal?: AbortSignal },
): Promise<Blob> {
  const blobs: Blob[] = [];
  const end = to ?? Infinity;
  for await (const { data, next, size } of readArtifact(
    (input) => bridge.call('runs.artifactBytes', input),
    address,
    { to: end },
  )) {
    signal?.throwIfAborted();
    blobs.push(new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))]));
    notify(next / Math.min(size, end));
  }
  return new Blob(blobs, { type: 'application/octet-stream' });
}

const startWorker = (): Worker =>
  new Worker(new URL('./parse-worker-thread.ts', import.meta.url), { type: 'module' });

/** Parses a file in a worker, so that the page stays responsive. */
async function parseInWorker(task: ParseTask): Promise<ParsedFile> {
  const worker = new RpcWorker<ParseTask, ParsedFile>(new RestartingRpcWorker(startWorker));
  try {
    return await worker.ask(task);
  } finally {
    worker.dispose();
  }
}

async function openBlob(blob: Blob, kind: FileKind, { name, bytes }: ArtifactView): Promise<OpenFile> {
  if (kind === 'pdf') return { kind, blob: new Blob([blob], { type: 'application/pdf' }) };
  if (kind === 'image')
    return { kind, url: await toDataUrl(new Blob([blob], { type: getImageType(name)! })) };
  const content = new Uint8Array(await blob.arrayBuffer());
  return {
    kind: 'parsed',
    file: await parseInWorker({ kind, bytes: content, isPartial: content.length < bytes }),
  };
}

/** The page's policy allows images in `data:` URLs only. An image cannot run scripts, even if it is an SVG. */
function toDataUrl(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(reader.result as string));
  reader.addEventListener('error', () => reject(reader.error ?? new Error('The image cannot be read')));
  reader.readAsDataURL(blob);
  return promise;
}

/** Reads and parses an artifact while `isEnabled`. `share` is the fraction that has been read. */
export function useOpenFile(run: Omit<ArtifactRef, 'artifact'>, artifact: ArtifactView, isEnabled: boolean) {
  const bridge = useBridge();
  const [share, setShare] = useState(0);
  const kind = getFileKind(artifact.name);
  const length = bytesToRead(kind, artifact.bytes);
  const query = useQuery({
    queryKey: ['artifact', run.name, run.dagRunId, artifact.name, artifact.at],
    queryFn: async ({ signal }) => {
      const address = { ...run, artifact: artifact.name };
      const blob = await readArtifactBlob(bridge, address, { to: length!, notify: setShare, signal });
      return openBlob(blob, kind, artifact);
    },
    enabled: isEnabled && length !== undefined,
    staleTime: Infinity,
    // Contents may be large.
    gcTime: 0,
    retry: false,
  });
  return { query, share, kind, length };
}
