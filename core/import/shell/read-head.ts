/** The lines above the first command of a script. */
export interface ScriptHead {
  /** The first comment, if it is prose. */
  readonly description: string | undefined;
  /** The script without its `#!` line and the description. */
  readonly body: string;
}

/** Reads the first comment of a script as its description; decorative lines are ignored. */
export function readHead(text: string): ScriptHead {
  const lines = text.split('\n');
  if (lines[0]?.startsWith('#!')) lines.shift();
  const begin = lines.findIndex((line) => line.trim() !== '');
  lines.splice(0, begin < 0 ? lines.length : begin);
  const length = lines.findIndex((line) => !line.startsWith('#'));
  const comment = lines.slice(0, Math.max(0, length));
  // A comment directly above a command describes that command.
  if (comment.length === 0 || lines[length]?.trim() !== '')
    return { description: undefined, body: lines.join('\n') };
  const words = comment.map((line) => line.replace(/^#+\s?/, '').trim()).filter((line) => /\w/.test(line));
  if (words.length === 0) return { description: undefined, body: lines.join('\n') };
  return { description: words.join(' '), body: lines.slice(length + 1).join('\n') };
}
