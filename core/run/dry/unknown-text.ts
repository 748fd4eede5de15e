/**
 * Around a part of a value that is known at run time only. Unicode keeps these two for use inside a program: no
 * text holds them, so that such parts can be told from what values hold, wherever the values are put in.
 */
const begin = '\uFDD0';
const end = '\uFDD1';
const unknownPart = new RegExp(`${begin}([^${end}]*)${end}`, 'g');
const marks = new RegExp(`[${begin}${end}]`, 'g');

/** A stand-in for a value that is not known yet: its source as written, such as `${RESULT}`. */
export const markUnknown = (source: string): string => `${begin}${withoutMarks(source)}${end}`;

/** Whether a part of the text is not known yet. */
export const hasUnknown = (text: string): boolean => text.includes(begin);

/** The text for a reader. */
export const withoutMarks = (text: string): string => text.replaceAll(marks, '');

/** The parts of the text that are not known yet, as written, without repeats. */
export const listUnknown = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(unknownPart), ([, source = '']) => source)),
];
