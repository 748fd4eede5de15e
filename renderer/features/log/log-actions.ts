import { create } from 'zustand';
import { Binary, Copy, Download, FileDown, FolderOpen, Languages, Save, SquarePen } from 'lucide-react';
import { useState } from 'react';
import type { LogCharset } from '../../../core/model/workflow-rules.ts';
import { toAppError } from '../../../core/base/errors.ts';
import { visibleText } from '../../../core/base/text.ts';
import type { LogFileTarget } from '../../../core/contract/transport.ts';
import { usePreferences } from '../../base/preferences.ts';
import { readTimeFormats } from '../../format/time.ts';
import { showToast, showError } from '../../ui/toasts.tsx';
import { useBridge } from '../../api/bridge.ts';
import type { MenuAction } from '../../ui/menu.tsx';
import { renderLogAsText, useSaveCopy, logFileName, readWholeLog, saveBlob } from './download.ts';
import { writeReference, type SelectedLines } from './log-line.tsx';
import type { LogDocument } from './log-document.ts';
import { type LineRows, getTime } from './line-rows.ts';
import type { RowSelection } from './row-list.ts';

/** How times are shown next to lines. */
export type TimestampMode = 'none' | 'relative' | 'absolute';

/** Display options of all logs, until the page is closed. */
interface LogOptions {
  readonly wrap: boolean;
  readonly times: TimestampMode;
  /** Detected by the engine when undefined. */
  readonly charset: LogCharset | undefined;
}

/** Reads the initial options from the settings. */
const readDefaults = (): Pick<LogOptions, 'wrap' | 'times'> => {
  const { logWrap, logTimes } = usePreferences.getState();
  return { wrap: logWrap === 'on', times: logTimes };
};

export const useLogOptions = create<LogOptions>(() => ({ ...readDefaults(), charset: undefined }));
usePreferences.subscribe(({ logWrap, logTimes }, before) => {
  if (logWrap !== before.logWrap || logTimes !== before.logTimes) useLogOptions.setState(readDefaults());
});

export const setLogOptions = (change: Partial<LogOptions>): void => useLogOptions.setState(change);

/** Formats the time shown next to a line; blank while it is unknown. */
export function writeLineTime(
  time: number | undefined,
  shown: TimestampMode,
  startedAt: number | undefined,
): string {
  if (time === undefined || startedAt === undefined) return '';
  if (shown === 'absolute') return `${readTimeFormats().timeOfDay.format(time)}.${tenths(time)}`;
  const since = Math.max(0, time - startedAt);
  const seconds = Math.floor(since / 1000);
  const units = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shownParts = units[0] === 0 ? units.slice(1) : units;
  const text = shownParts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0')));
  return `+${text.join(':')}.${tenths(since)}`;
}

/** Times are only known to a tenth of a second. */
const tenths = (time: number): number => Math.floor((time % 1000) / 100);

/** Maximum number of lines to copy. */
const maxCopiedLines = 10_000;

/**
 * Copies text and reports the result. Text that is not loaded yet is passed as a promise, so that the browser
 * still counts the copy as a user action.
 */
async function copyText(text: string | Promise<string>, what = 'Copied'): Promise<void> {
  const read = Promise.resolve(text).then((known) => new Blob([known], { type: 'text/plain' }));
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': read })]);
    showToast('info', what);
  } catch {
    const reason = await read.then(
      () => 'this page has no access to the clipboard.',
      (error: unknown) => toAppError(error).message,
    );
    showToast('error', `Could not copy: ${reason}`);
  }
}

const countCopied = (lines: number): string =>
  lines === 1 ? 'Copied' : `Copied ${lines.toLocaleString('en')} lines`;

/** Copies the selected lines as displayed. */
export const copyChosen = (log: LogDocument, { stream, from, to }: SelectedLines): Promise<void> =>
  copyText(
    log.readRange(stream, from, to + 1).then((lines) => lines.map(visibleText).join('\n')),
    countCopied(to - from + 1),
  );

/** Copies rows between two columns, whether or not they are rendered. */
export const copyRows = (log: LogDocument, rows: LineRows, selection: RowSelection): Promise<void> =>
  copyText(
    readRows(log, rows, selection.from, selection.to + 1).then((text) => trimToColumns(text, selection)),
    countCopied(selection.to - selection.from + 1),
  );

/** Cuts the first and last line to the selected columns. */
export function trimToColumns(
  text: string,
  { fromColumn, toColumn }: Pick<RowSelection, 'fromColumn' | 'toColumn'>,
): string {
  const last = text.lastIndexOf('\n') + 1;
  const first = text.indexOf('\n');
  return text.slice(Math.min(fromColumn, first < 0 ? text.length : first), last + toColumn);
}

/** Reads rows as displayed. @param to exclusive */
async function readRows(log: LogDocument, rows: LineRows, from: number, to: number): Promise<string> {
  const part: LineRows = { ...rows, count: to - from, at: (row) => rows.at(from + row) };
  const blob = await renderLogAsText(log, part, { getPrefix: () => '', notify: () => undefined });
  return (await blob.text()).replace(/\n$/, '');
}

export const copyReference = (log: LogDocument, chosen: SelectedLines): Promise<void> =>
  copyText(writeReference(log.address, chosen));

/** Copies the newest rows as displayed. */
const copyNewest = (log: LogDocument, rows: LineRows): Promise<void> =>
  copyText(readRows(log, rows, Math.max(0, rows.count - maxCopiedLines), rows.count));

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
    const getPrefix = (stream: 'stdout' | 'stderr', line: number): string => {
      const time = getTime({ stream, line }, snapshot, snapshot.finishedAt);
      const written = times === 'none' ? '' : `${writeLineTime(time, times, snapshot.startedAt)} `;
      return `${written}${named === 'both' ? `${stream} ` : ''}`;
    };
    saveBlob(
      await renderLogAsText(log, rows, { getPrefix, notify: setProgress }),
      logFileName(log.address, named),
    );
  });
  const copyAll = doing(() => copyNewest(log, rows));
  const openFile = (target: LogFileTarget) =>
    doing(() => bridge.openLogFile!({ ...log.address, stream: log.streams[0]! }, target));
  const actions: MenuAction[] = [
    {
      id: 'copy',
      label: copyLabel(rows.count),
      icon: Copy,
      run: copyAll,
    },
    { id: 'file', ...formatFileName(named === 'both', saveCopy !== undefined), run: downloadFiles },
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

const copyLabel = (count: number): string =>
  count > maxCopiedLines ? `Copy the last ${maxCopiedLines.toLocaleString('en')} lines` : 'Copy log';

/** @param isSaved saved by the dialog of the desktop app; a browser chooses the location of downloads */
const formatFileName = (isBoth: boolean, isSaved: boolean) => {
  const what = isBoth ? 'both files' : 'the file';
  return isSaved ? { label: `Save ${what} as…`, icon: Save } : { label: `Download ${what}`, icon: Download };
};
