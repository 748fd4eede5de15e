import type { HereDocument } from './here-document.ts';

/** What a closing parenthesis ends: arithmetic, or anything else in parentheses, or (nothing) a pattern of `case`. */
type Frame = 'arithmetic' | 'parentheses' | 'case';

/** A sequence of commands: the whole text, or what a substitution holds. */
export interface CommandLevel {
  readonly frames: Frame[];
  /** `#` here begins a comment. */
  wordStart: boolean;
  /** A reserved word here is one. */
  commandStart: boolean;
  /** Bodies that begin at the next line. */
  documents: HereDocument[];
}

export const openLevel = (): CommandLevel => ({
  frames: [],
  wordStart: true,
  commandStart: true,
  documents: [],
});

/** After an operator or a line's end. */
export function beginCommand(level: CommandLevel): void {
  level.wordStart = true;
  level.commandStart = true;
}

/** After a part of a word. */
export function continueWord(level: CommandLevel): void {
  level.wordStart = false;
  level.commandStart = false;
}

/** In arithmetic `<<` is a shift and `#` a base. */
export const isArithmetic = ({ frames }: CommandLevel): boolean => frames.at(-1) === 'arithmetic';

/**
 * Opens a parenthesis, or two of `((…))`.
 * @returns how many characters were taken
 */
export function openParenthesis(level: CommandLevel, isDouble: boolean): number {
  const inner: Frame = isArithmetic(level) ? 'arithmetic' : 'parentheses';
  if (isDouble && level.commandStart) level.frames.push('arithmetic', 'arithmetic');
  else level.frames.push(inner);
  const taken = isDouble && level.commandStart ? 2 : 1;
  beginCommand(level);
  return taken;
}

/** Closes a parenthesis of this level; what ends a pattern of `case` closes none. */
export function closeParenthesis(level: CommandLevel): void {
  if (level.frames.at(-1) !== 'case') level.frames.pop();
  beginCommand(level);
}

const reservedWord =
  /(?:if|then|else|elif|do|while|until|for|time|!|\{|case(?=[ \t\n])|esac)(?=[ \t\n;&|()<>]|$)/y;

/**
 * Takes a reserved word where there may be one. `case` matters because its patterns end with a parenthesis that
 * was never opened.
 * @returns its length, 0 for none
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
