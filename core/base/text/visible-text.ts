/** Escape sequences other than colours and styles (ECMA-48): links, titles, cursor movements. */
const otherSequences =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /\u001B(?:\][^\u0007\u001B]*(?:\u0007|\u001B\\|$)|\[(?![0-9;:]*m)[0-?]*[ -/]*(?:[@-~]|$)|[()*+][ -~]|[=>78cDEHMNOZ])/g;
// oxlint-disable-next-line no-control-regex -- as above
const styleSequences = /\u001B\[[0-9;:]*m/g;
// oxlint-disable-next-line no-control-regex -- as above
const controls = /[\u0000-\u0008\u000B-\u001F\u007F]/g;

/**
 * Whether a string contains control characters that affect a terminal: carriage return counts, line feed and tab do
 * not.
 */
export const hasControls = (text: string): boolean => text.search(controls) >= 0;

/** Removes the escape sequences of colours and styles. */
export const stripAnsiStyles = (text: string): string => text.replaceAll(styleSequences, '');

/** Returns the final content of a line that a progress display has overwritten. */
function keepLastOverwrite(line: string): string {
  if (!line.includes('\r')) return line;
  let end = line.length;
  while (end > 0 && line[end - 1] === '\r') end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** Returns how often a line was overwritten, 0 for never. */
export const countOverwrites = (line: string): number =>
  line.includes('\r') ? line.split('\r').filter((part) => part !== '').length - 1 : 0;

/** Returns a line of output with only its visible text and the escape sequences of colours and styles. */
export function styledText(line: string): string {
  if (!hasControls(line)) return line;
  return keepLastOverwrite(line).replaceAll(otherSequences, '');
}

export const removeControlCharacters = (text: string): string => text.replaceAll(controls, '');

/** Returns a line of output as displayed, without colours: the text for searching and for counting columns. */
export function visibleText(line: string): string {
  if (!hasControls(line)) return line;
  return removeControlCharacters(stripAnsiStyles(styledText(line)));
}
