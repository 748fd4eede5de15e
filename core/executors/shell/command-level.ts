import type { HereDocument } from './here-document.ts';

/**
 * What a closing parenthesis closes: arithmetic, another parenthesis, or a `case` pattern (which has no opening one).
 */
type Frame = 'arithmetic' | 'parentheses' | 'case';

/** A sequence of commands: the whole text or the content of a substitution. */
export interface CommandLevel {
  readonly frames: Frame[];
  /** Whether `#` starts a comment here. */
  wordStart: boolean;
  /** Whether a reserved word is recognized here. */
  commandStart: boolean;
  /** Here-documents whose bodies start at the next line. */
  documents: HereDocument[];
}

export const openLevel = (): CommandLevel => ({
  frames: [],
  wordStart: true,
  commandStart: true,
  documents: [],
});

/** Called after an operator or the end of a line. */
export function beginCommand(level: CommandLevel): void {
  level.wordStart = true;
  level.commandStart = true;
}

/** Called after a part of a word. */
export function continueWord(level: CommandLevel): void {
  level.wordStart = false;
  level.commandStart = false;
}

/** Whether the level is in arithmetic, where `<<` is a shift and `#` a base. */
export const isArithmetic = ({ frames }: CommandLevel): boolean => frames.at(-1) === 'arithmetic';

/**
 * Opens a parenthesis, or both of `((…))`.
 * @returns the number of characters consumed
 */
export function openParenthesis(level: CommandLevel, isDouble: boolean): number {
  const inner: Frame = isArithmetic(level) ? 'arithmetic' : 'parentheses';
  if (isDouble && level.commandStart) level.frames.push('arithmetic', 'arithmetic');
  else level.frames.push(inner);
  const consumed = isDouble && level.commandStart ? 2 : 1;
  beginCommand(level);
  return consumed;
}

/** Closes a parenthesis of this level. The end of a `case` pattern closes none. */
export function closeParenthesis(level: CommandLevel): void {
  if (level.frames.at(-1) !== 'case') level.frames.pop();
  beginCommand(level);
}

const reservedWord =
  /(?:if|then|else|elif|do|while|until|for|time|!|\{|case(?=[ \t\n])|esac)(?=[ \t\n;&|()<>]|$)/y;

/**
 * Consumes a reserved word where one is allowed. `case` matters because its patterns end with an unopened parenthesis.
 * @returns its length, or 0
 */
export function takeReservedWord(level: CommandLevel, text: string, position: number): number {
  if (!level.wordStart || !level.commandStart) return 0;
  reservedWord.lastIndex = position;
  const word = reservedWord.exec(text)?.[0];
  if (word === undefined) return 0;
  if (word === 'case') level.frames.push('case');
  if (word === 'esac' && level.frames.at(-1) === 'case') level.frames.pop();
  level.wordStart = false;
  level.commandStart = word !== 'case' && word !== 'esac';
  return word.length;
}
