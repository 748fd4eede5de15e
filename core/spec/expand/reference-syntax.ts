/** Name of a variable, or number of a positional parameter. */
export const namePattern = /[A-Za-z_][A-Za-z0-9_]*|[0-9]+/y;

/**
 * In braces, also the id of a step, which may contain `-`; only a property after it distinguishes it from an operator.
 */
export const bracedNamePattern = /[A-Za-z][A-Za-z0-9_-]*(?=\.)|[A-Za-z_][A-Za-z0-9_]*|[0-9]+/y;

/** Keys and indexes after a name in braces. */
export const pathPattern = /(?:\.?\[-?[0-9]+\]|\.[^.[\]{}$:`'"\\\s]+)+/y;

/** Keys and indexes after a name without braces. */
export const barePathPattern = /(?:\.?\[-?[0-9]+\]|\.[A-Za-z0-9_-]+)+/y;

/** Offset and length, with the colons. */
export const slicePattern = /:\s*(-?[0-9]+)(?::\s*(-?[0-9]+))?/y;

/** Matches a sticky pattern at a position. */
export function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}
