/**
 * Encloses a part of a value that is only known at run time. Unicode reserves these two noncharacters for internal use,
 * so no input contains them and marked parts stay recognizable wherever a value is inserted.
 */
const openMark = '\uFDD0';
const closeMark = '\uFDD1';
const unknownPart = new RegExp(`${openMark}([^${closeMark}]*)${closeMark}`, 'g');
const marks = new RegExp(`[${openMark}${closeMark}]`, 'g');

/** Returns a placeholder for a value that is not known yet: its source as written, such as `${RESULT}`. */
export const markUnknown = (source: string): string => `${openMark}${stripUnknownMarks(source)}${closeMark}`;

/** Whether a part of the string is not known yet. */
export const hasUnknown = (text: string): boolean => text.includes(openMark);

/** Returns the string for display. */
export const stripUnknownMarks = (text: string): string => text.replaceAll(marks, '');

/** Returns the parts of the string that are not known yet, as written, without duplicates. */
export const listUnknown = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(unknownPart), ([, source = '']) => source)),
];
