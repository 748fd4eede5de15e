/** A piece of shell text, as the scanner of POSIX quoting sees it. */
export type ShellPart =
  /** Stays as it is. */
  | { readonly kind: 'text'; readonly text: string }
  | ShellReference
  /** A substitution in backticks that holds references; the parts are its text without the outer backslashes. */
  | { readonly kind: 'backticks'; readonly parts: readonly ShellPart[] };

/**
 * Where a shell would expand something and the text may name a value of the engine instead. What follows it up to
 * the closing brace, a default for one, is in the parts after it.
 */
export interface ShellReference {
  readonly kind: 'reference';
  /** As written, with `$` or `${`, without the closing brace. */
  readonly written: string;
  readonly name: string;
  /** Keys and indexes, as written; empty for a slice of the variable itself. */
  readonly path: string;
  /** Offset and length with their colons, as written; else empty. */
  readonly slice: string;
  /** An operator follows that says what to do when the value is empty. */
  readonly hasDefault: boolean;
  readonly braced: boolean;
}

/** The text of the parts, each reference as `write` has it. */
export function writeParts(
  parts: readonly ShellPart[],
  write: (reference: ShellReference) => string,
): string {
  return parts
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return part.text;
        case 'reference':
          return write(part);
        case 'backticks':
          return `\`${writeParts(part.parts, write).replaceAll(/[\\`]/g, '\\$&')}\``;
      }
    })
    .join('');
}

/** All references, those in backticks too. */
export function listReferences(parts: readonly ShellPart[]): ShellReference[] {
  return parts.flatMap((part) => {
    switch (part.kind) {
      case 'text':
        return [];
      case 'reference':
        return [part];
      case 'backticks':
        return listReferences(part.parts);
    }
  });
}
