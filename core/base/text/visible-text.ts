/** Escape sequences other than those for colours and styles (ECMA-48): links, titles, moves of the cursor. */
const otherSequences =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /\u001B(?:\][^\u0007\u001B]*(?:\u0007|\u001B\\|$)|\[(?![0-9;:]*m)[0-?]*[ -/]*(?:[@-~]|$)|[()*+][ -~]|[=>78cDEHMNOZ])/g;
// oxlint-disable-next-line no-control-regex -- as above
const styleSequences = /\u001B\[[0-9;:]*m/g;
// oxlint-disable-next-line no-control-regex -- as above
const controls = /[\u0000-\u0008\u000B-\u001F\u007F]/g;

/** Whether a text holds characters that a terminal acts upon: line feed and tab do not count, carriage return does. */
export const hasControls = (text: string): boolean => text.search(controls) >= 0;

/** A text without the escape codes of its colours and styles. */
export const dropStyles = (text: string): string => text.replaceAll(styleSequences, '');

/** Of a line that a progress display has written over and over, what is left at the end. */
function keepLastOverwrite(line: string): string {
  if (!line.includes('\r')) return line;
  let end = line.length;
  while (end > 0 && line[end - 1] === '\r') end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** How often a line was written over, 0 for one that never was. */
export const countOverwrites = (line: string): number =>
  line.includes('\r') ? line.split('\r').filter((part) => part !== '').length - 1 : 0;

/** A line of output with nothing but its text and the escape codes of its colours and styles. */
export function styledText(line: string): string {
  if (!hasControls(line)) return line;
  return keepLastOverwrite(line).replaceAll(otherSequences, '');
}

export const dropControls = (text: string): string => text.replaceAll(controls, '');

/** A line of output as people see it, without its colours: what is searched, and what columns count in. */
export function visibleText(line: string): string {
  if (!hasControls(line)) return line;
  return dropControls(dropStyles(styledText(line)));
}
