import type { DryFolderView, DryNamedValueView, DryValueView } from '../../../contract/runs/dry.ts';
import type { Channel } from '../../terminal.ts';
import { cutTo, displayWidth, oneLine } from '../plain-text.ts';

const longestValue = 200;

/** What is said of a value that is not there before the run. */
const notKnown = 'known only at run time';

/** A value on one line; one that depends on the run says so. */
export function valueText(channel: Channel, { value, unresolved }: DryValueView): string {
  const text = cutTo(oneLine(value), longestValue);
  if (unresolved !== undefined) return `${channel.paint('yellow', text)}  ${channel.paint('dim', notKnown)}`;
  return text === '' ? channel.paint('dim', '(empty)') : text;
}

/** `NAME = value`, the names in one column. */
export function valueLines(channel: Channel, values: readonly DryNamedValueView[]): string[] {
  const names = values.map(({ name }) => oneLine(name));
  const width = Math.max(0, ...names.map(displayWidth));
  return values.map((value, index) => {
    const name = names[index]!;
    const space = ' '.repeat(width - displayWidth(name));
    return `${name}${space} = ${valueText(channel, value)}`;
  });
}

/** A folder, and whether the run would make it. */
export function folderText(channel: Channel, folder: DryFolderView): string {
  const made = folder.exists === false ? `  ${channel.paint('dim', 'created by the run')}` : '';
  return `${valueText(channel, folder)}${made}`;
}

/** Program and arguments, as a POSIX shell would take them. */
export const wordsText = (channel: Channel, words: readonly DryValueView[]): string =>
  words
    .map(({ value, unresolved }) => {
      const text = quote(oneLine(value));
      return unresolved === undefined ? text : channel.paint('yellow', text);
    })
    .join(' ');

const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** A text of several lines as it is, fit for a terminal. */
export const textLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [indent = ''] = /^ */.exec(line.replaceAll('\t', '    ')) ?? [];
      return indent + oneLine(line);
    });

/** Lines under a label, or behind it when it is one. */
export function labelled(label: string, lines: readonly string[]): string[] {
  const [first, ...others] = lines;
  if (first === undefined) return [];
  return [`${label.padEnd(labelWidth)}${first}`, ...others.map((line) => ' '.repeat(labelWidth) + line)];
}

const labelWidth = 13;

/** Lines moved to the right. */
export const indent = (lines: readonly string[], columns: number): string[] =>
  lines.map((line) => (line === '' ? line : ' '.repeat(columns) + line));
