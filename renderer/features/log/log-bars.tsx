import {
  Languages,
  X,
  CornerDownRight,
  Copy,
  Link2,
  Clock3,
  Ellipsis,
  Maximize2,
  Minimize2,
  Search,
  WrapText,
} from 'lucide-react';
import { useState } from 'react';
import { logCharsets, type LogCharset } from '../../../core/model/workflow-rules.ts';
import { IconButton, Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choices.tsx';
import { readTimeZone } from '../../format/time.ts';
import { ActionMenu, type MenuAction } from '../../ui/menu.tsx';
import { setLogOptions, useLogOptions, type TimestampMode } from './log-actions.ts';
import styles from './log.module.css';
import type { SelectedLines } from './log-line.tsx';

const names: Readonly<Record<LogCharset, string>> = {
  'utf-8': 'UTF-8',
  shift_jis: 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  'iso-8859-1': 'ISO-8859-1',
  'windows-1252': 'Windows-1252',
  gbk: 'GBK',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
};

/** Selects the encoding of logs. */
export function CharsetBar({ onClose }: { readonly onClose: () => void }) {
  const { charset } = useLogOptions();
  return (
    <div className={styles.searchBar}>
      <Languages size={14} aria-hidden="true" />
      <span>Encoding for non-UTF-8 text</span>
      <Select
        label="Encoding"
        value={charset ?? 'auto'}
        choices={[
          { value: 'auto' as const, label: 'System locale' },
          ...logCharsets.map((value) => ({ value, label: names[value] })),
        ]}
        onChange={(value) => setLogOptions({ charset: value === 'auto' ? undefined : value })}
      />
      <IconButton label="Close" icon={X} size="small" onPress={onClose} />
    </div>
  );
}

/** The requested position: a 0-based line, or a time. */
export type GoToTarget = { readonly line: number } | { readonly time: number };

const dayMs = 86_400_000;

/**
 * Parses a typed position: a line (`1200`, `1,200`), a time of day (`14:03`, `14:03:05`), a time since the
 * start (`+90s`, `+2m`, `+1:30`), or a full date (ISO 8601).
 * @param startedAt start of the attempt, in epoch milliseconds
 * @returns undefined for invalid input
 */
export function parseGoToTarget(
  typed: string,
  startedAt: number | undefined,
  timeZone?: string,
): GoToTarget | undefined {
  const text = typed.trim();
  if (/^[\d,. ]+$/.test(text) && /\d/.test(text)) {
    const line = Number(text.replaceAll(/\D/g, ''));
    return line >= 1 ? { line: line - 1 } : undefined;
  }
  if (startedAt === undefined) return undefined;
  const since = readSince(text);
  if (since !== undefined) return { time: startedAt + since };
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$/.exec(text);
  if (clock) return { time: nextTimeOfDay(clock, startedAt, timeZone) };
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : { time: date };
}

function readSince(text: string): number | undefined {
  const clock = /^\+(?:(\d+):)?(\d+):(\d{2}(?:\.\d+)?)$/.exec(text);
  if (clock) return (Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3])) * 1000;
  const span = /^\+(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text);
  if (!span) return undefined;
  const factor = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[span[2] ?? 's']!;
  return Number(span[1]) * factor;
}

/** Returns the first time after the start that matches the time of day. */
function nextTimeOfDay(clock: RegExpExecArray, startedAt: number, timeZone: string | undefined): number {
  const targetMs = (Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0)) * 1000;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const [hours = 0, minutes = 0, seconds = 0] = format.format(startedAt).split(':').map(Number);
  const began = (hours * 3600 + minutes * 60 + seconds) * 1000;
  const timeOfDayOffset = targetMs - began;
  const base = startedAt - (startedAt % 1000);
  return base + (timeOfDayOffset < 0 ? timeOfDayOffset + dayMs : timeOfDayOffset);
}

interface GoToBarProps {
  readonly startedAt: number | undefined;
  readonly onGo: (goal: GoToTarget) => void;
  readonly onClose: () => void;
}

/** Asks for a line or a time to go to. */
export function GoToBar({ startedAt, onGo, onClose }: GoToBarProps) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const go = (): void => {
    const goal = parseGoToTarget(text, startedAt, readTimeZone().name);
    setWrong(goal === undefined);
    if (goal) onGo(goal);
  };
  return (
    <form
      className={styles.searchBar}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <CornerDownRight size={14} aria-hidden="true" />
      <input
        autoFocus
        aria-label="Line or time"
        aria-invalid={isWrong || undefined}
        placeholder="1200, 14:03:05, +90s"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onClose();
        }}
      />
      <span className={styles.searchState} role="status" data-error={isWrong ? '' : undefined}>
        {isWrong ? 'Enter a line (1200), a time (14:03:05) or an offset (+90s)' : ''}
      </span>
      <Button size="small" type="submit" isDisabled={text.trim() === ''}>
        Go
      </Button>
      <IconButton label="Close" icon={X} size="small" onPress={onClose} />
    </form>
  );
}

interface SelectionBarProps {
  readonly chosen: SelectedLines;
  readonly onCopyLines: () => void;
  readonly onCopyReference: () => void;
  readonly onClear: () => void;
}

/** Actions on the selected lines. */
export function SelectionBar({ chosen, onCopyLines, onCopyReference, onClear }: SelectionBarProps) {
  const { from, to, stream } = chosen;
  const lines = from === to ? `Line ${from + 1}` : `Lines ${from + 1} to ${to + 1}`;
  return (
    <div className={styles.chosenBar}>
      <span>{stream === 'stderr' ? `${lines} of stderr` : lines}</span>
      <Button size="small" icon={Copy} onPress={onCopyLines}>
        {from === to ? 'Copy line' : 'Copy lines'}
      </Button>
      <Button size="small" icon={Link2} onPress={onCopyReference}>
        Copy reference
      </Button>
      <IconButton label="Clear selection" icon={X} size="small" onPress={onClear} />
    </div>
  );
}

interface LogBarProps {
  /** Path from the run to the step, shown where the context does not name the log. */
  readonly whose: readonly string[];
  /** The attempt and stream selectors. */
  readonly controls: React.ReactNode;
  readonly state: string;
  readonly isFull: boolean;
  readonly actions: readonly MenuAction[];
  readonly onSearch: () => void;
  readonly onGo: () => void;
  readonly onFull: () => void;
}

const nextTimes: Record<TimestampMode, TimestampMode> = {
  none: 'relative',
  relative: 'absolute',
  absolute: 'none',
};
const timesLabels: Record<TimestampMode, string> = {
  none: 'Show elapsed times',
  relative: 'Show timestamps',
  absolute: 'Hide timestamps',
};

/** The toolbar above a log. */
export function LogBar({ whose, controls, state, isFull, actions, onSearch, onGo, onFull }: LogBarProps) {
  const { wrap, times } = useLogOptions();
  return (
    <div className={styles.bar}>
      {isFull && <b className={styles.whose}>{whose.join(' › ')}</b>}
      {controls}
      <span className={styles.size} role="status">
        {state}
      </span>
      <span className={styles.tools}>
        <IconButton label="Search (Ctrl+F)" icon={Search} size="small" onPress={onSearch} />
        <IconButton label="Go to line or time" icon={CornerDownRight} size="small" onPress={onGo} />
        <IconButton
          label={timesLabels[times]}
          icon={Clock3}
          size="small"
          pressed={times !== 'none'}
          onPress={() => setLogOptions({ times: nextTimes[times] })}
        />
        <IconButton
          label="Wrap lines"
          icon={WrapText}
          size="small"
          pressed={wrap}
          onPress={() => setLogOptions({ wrap: !wrap })}
        />
        <IconButton
          label={isFull ? 'Exit full screen' : 'Full screen'}
          icon={isFull ? Minimize2 : Maximize2}
          size="small"
          onPress={onFull}
        />
        <ActionMenu label="More log actions" actions={actions}>
          <IconButton label="More log actions" icon={Ellipsis} size="small" />
        </ActionMenu>
      </span>
    </div>
  );
}
