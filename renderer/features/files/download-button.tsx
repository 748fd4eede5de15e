import { Download, Save } from 'lucide-react';
import { useState } from 'react';
import type { RunRef } from '../../../core/model/run.ts';
import { useBridge } from '../../api/bridge.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { showError } from '../../ui/toasts.tsx';
import { saveBlob, useSaveCopy } from '../log/download.ts';
import { readArtifactBlob } from './read-file.ts';

interface DownloadButtonProps {
  readonly run: RunRef;
  readonly artifact: string;
  /** Whether the label is visible. */
  readonly isLabeled?: boolean;
}

/** Downloads an artifact: through the system's save dialog, or as a browser download. */
export function DownloadButton({ run, artifact, isLabeled = false }: DownloadButtonProps) {
  const bridge = useBridge();
  const saveCopy = useSaveCopy();
  const [share, setShare] = useState<number>();
  const download = async (): Promise<void> => {
    const { name, dagRunId } = run;
    if (saveCopy) return await saveCopy({ kind: 'artifact', name, dagRunId, artifact });
    const blob = await readArtifactBlob(bridge, { name, dagRunId, artifact }, { notify: setShare });
    saveBlob(blob, artifact.slice(artifact.lastIndexOf('/') + 1));
  };
  const press = (): void => {
    setShare(0);
    download()
      .catch(showError)
      .finally(() => setShare(undefined));
  };
  const progress = share === undefined ? undefined : `Downloading… ${Math.floor(share * 100)}%`;
  const shared = {
    icon: saveCopy ? Save : Download,
    size: 'small' as const,
    isDisabled: share !== undefined,
    onPress: press,
  };
  if (isLabeled) return <Button {...shared}>{progress ?? (saveCopy ? 'Save as…' : 'Download')}</Button>;
  const label = saveCopy ? `Save ${artifact} as…` : `Download ${artifact}`;
  return <IconButton {...shared} label={progress ?? label} />;
}
