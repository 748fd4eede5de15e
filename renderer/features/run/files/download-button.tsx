import { Download, Save } from 'lucide-react';
import { useState } from 'react';
import type { RunRef } from '../../../../core/model/run/run.ts';
import { useBridge } from '../../../api/bridge.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { showError } from '../../../ui/overlay/show-error.ts';
import { useSaveCopy } from '../../files/use-save-copy.ts';
import { saveBlob } from '../../log/reading/download.ts';
import { readWholeArtifact } from './read-whole-artifact.ts';

interface DownloadButtonProps {
  readonly run: RunRef;
  readonly artifact: string;
}

/** Downloads an artifact: through the system's save dialog, or as a browser download. */
export function DownloadButton({ run, artifact }: DownloadButtonProps) {
  const bridge = useBridge();
  const saveCopy = useSaveCopy();
  const [share, setShare] = useState<number>();
  const download = async (): Promise<void> => {
    const { name, dagRunId } = run;
    if (saveCopy) return await saveCopy({ kind: 'artifact', name, dagRunId, artifact });
    const blob = await readWholeArtifact(bridge, { name, dagRunId, artifact }, setShare);
    saveBlob(blob, artifact.slice(artifact.lastIndexOf('/') + 1));
  };
  const press = (): void => {
    setShare(0);
    download()
      .catch(showError)
      .finally(() => setShare(undefined));
  };
  const label = saveCopy ? `Save ${artifact} as…` : `Download ${artifact}`;
  return (
    <IconButton
      label={share === undefined ? label : `Downloading, ${Math.floor(share * 100)} %`}
      icon={saveCopy ? Save : Download}
      size="small"
      isDisabled={share !== undefined}
      onPress={press}
    />
  );
}
