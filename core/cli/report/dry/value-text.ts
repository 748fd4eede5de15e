import type { DryFolderView, DryNamedValueView, DryValueView } from '../../../contract/runs/dry.ts';
import type { Channel } from '../../terminal.ts';
import { truncateToWidth, displayWidth, oneLine } from '../plain-text.ts';

const maxValueLength = 200;

/** Shown for a value that is unknown before the run. */
const notKnown = 'known only at run time';

/** Returns a value on one line, marked if it depends on the run. */
export function formatValue(channel: Channel, { value, unresolved }: DryValueView): string {
  const text = truncateToWidth(oneLine(value), maxValueLength);
  if (unresolved !== undefined) return `${channel.paint('yellow', text)}  ${channel.paint('dim', notKnown)}`;
  return text === '' ? channel.paint('dim', '(empty)') : text;
}

/** Returns `NAME = value` lines with aligned names. */
export function valueLines(channel: Channel, values: readonly DryNamedValueView[]): string[] {
  const names = values.map(({ name }) => oneLine(name));
  const width = Math.max(0, ...names.map(displayWidth));
  return values.map((value, index) => {
    const name = names[index]!;
    const space = ' '.repeat(width - displayWidth(name));
    return `${name}${space} = ${formatValue(channel, value)}`;
  });
}

/** Returns a directory, and whether the run would create it. */
export function formatFolder(channel: Channel, folder: DryFolderView): string {
  const made = folder.exists === false ? `  ${channel.paint('dim', 'created by the run')}` : '';
  return `${formatValue(channel, folder)}${made}`;
}

/** Returns program and arguments with POSIX shell quoting. */
export const commandLineText = (channel: Channel, args: readonly DryValueView[]): string =>
  args
    .map(({ value, unresolved }) => {
      const text = quote(oneLine(value));
      return unresolved === undefined ? text : channel.paint('yellow', text);
    })
    .join(' ');

const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Splits text into lines that are safe for a terminal. */
export const textLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [indent = ''] = /^ */.exec(line.replaceAll('\t', '    ')) ?? [];
      return indent + oneLine(line);
    });

/** Returns lines below a label, or next to it if there is only one. */
export function withLabel(label: string, lines: readonly string[]): string[] {
  const [first, ...others] = lines;
  if (first === undefined) return [];
  return [`${label.padEnd(labelWidth)}${first}`, ...others.map((line) => ' '.repeat(labelWidth) + line)];
}

const labelWidth = 13;

export const indent = (lines: readonly string[], columns: number): string[] =>
  lines.map((line) => (line === '' ? line : ' '.repeat(columns) + line));
