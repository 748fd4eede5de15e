import { Binary, Copy, Download, FileDown, FolderOpen, Languages, Save, SquarePen } from 'lucide-react';
import { useState } from 'react';
import type { LogFileTarget } from '../../../core/contract/transport/bridge.ts';
import { useBridge } from '../../api/bridge.ts';
import type { MenuAction } from '../../ui/overlay/menu.tsx';
import { showError } from '../../ui/overlay/show-error.ts';
import { useSaveCopy } from '../files/use-save-copy.ts';
import { writeLineTime } from './bar/line-time.ts';
import { maxCopiedLines, copyNewest } from './copy-lines.ts';
import { logFileName, renderLogAsText, readWholeLog, saveBlob } from './reading/download.ts';
import type { LogDocument } from './reading/log-document.ts';
import { timeOf, type LineRows } from './rows/line-rows.ts';
import { useLogOptions } from './use-log-options.ts';

interface LogActionOptions {
  readonly log: LogDocument;
  readonly rows: LineRows;
  readonly onBinary: () => void;
  readonly onCharset: () => void;
}

/** Actions on a whole log, and its loading state. */
export function useLogActions({ log, rows, onBinary, onCharset }: LogActionOptions) {
  const bridge = useBridge();
  const saveCopy = useSaveCopy();
  const { times } = useLogOptions();
  const [progress, setProgress] = useState<number>();
  const named = log.streams.length > 1 ? 'both' : log.streams[0]!;
  const doing = (work: () => Promise<void>) => () => {
    work()
      .catch(showError)
      .finally(() => setProgress(undefined));
  };
  const downloadFiles = doing(async () => {
    for (const stream of log.streams) {
      const address = { ...log.address, stream };
      if (saveCopy) await saveCopy({ kind: 'log', address });
      else saveBlob(await readWholeLog(bridge, address, setProgress), logFileName(address, stream));
    }
  });
  const downloadShown = doing(async () => {
    const snapshot = log.read().times;
    const prefixOf = (stream: 'stdout' | 'stderr', line: number): string => {
      const time = timeOf({ stream, line }, snapshot, snapshot.finishedAt);
      const written = times === 'none' ? '' : `${writeLineTime(time, times, snapshot.startedAt)} `;
      return `${written}${named === 'both' ? `${stream} ` : ''}`;
    };
    saveBlob(
      await renderLogAsText(log, rows, { prefixOf, notify: setProgress }),
      logFileName(log.address, named),
    );
  });
  const copyAll = doing(() => copyNewest(log, rows));
  const openFile = (target: LogFileTarget) =>
    doing(() => bridge.openLogFile!({ ...log.address, stream: log.streams[0]! }, target));
  const actions: MenuAction[] = [
    {
      id: 'copy',
      label:
        rows.count > maxCopiedLines
          ? `Copy the last ${maxCopiedLines.toLocaleString('en')} lines`
          : 'Copy log',
      icon: Copy,
      run: copyAll,
    },
    { id: 'file', ...describeFile(named === 'both', saveCopy !== undefined), run: downloadFiles },
    { id: 'shown', label: 'Download as shown', icon: FileDown, run: downloadShown },
    ...(bridge.openLogFile
      ? [
          {
            id: 'editor',
            label: 'Open in default editor',
            icon: SquarePen,
            run: openFile('editor'),
            beginsGroup: true,
          },
          { id: 'folder', label: 'Show in folder', icon: FolderOpen, run: openFile('folder') },
        ]
      : []),
    { id: 'charset', label: 'Encoding…', icon: Languages, run: onCharset, beginsGroup: true },
    { id: 'hex', label: 'Show or hide hex view', icon: Binary, run: onBinary },
  ];
  return { actions, progress };
}

/** @param isSaved saved by the dialog of the desktop app; a browser chooses the location of downloads */
const describeFile = (isBoth: boolean, isSaved: boolean) => {
  const what = isBoth ? 'both files' : 'the file';
  return isSaved ? { label: `Save ${what} as…`, icon: Save } : { label: `Download ${what}`, icon: Download };
};
