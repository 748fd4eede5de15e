/** A part of shell text as the scanner splits it. */
export type ShellPart =
  /** Left as it is. */
  | { readonly kind: 'text'; readonly text: string }
  | ShellReference
  /** A command in backticks with references; the parts are its text without the outer level of backslashes. */
  | { readonly kind: 'backticks'; readonly parts: readonly ShellPart[] };

/**
 * A position where a shell would expand something and the text may refer to a value of Stepwright. The text up to the
 * closing brace, for example a default value, is in the following parts.
 */
export interface ShellReference {
  readonly kind: 'reference';
  /** As written, with `$` or `${` but without the closing brace. */
  readonly written: string;
  readonly name: string;
  /** Keys and indexes as written; empty for a slice of the variable itself. */
  readonly path: string;
  /** Offset and length with their colons, as written, or empty. */
  readonly slice: string;
  /** Whether an operator for an empty value follows. */
  readonly hasDefault: boolean;
  readonly braced: boolean;
}

/** Joins the parts and formats each reference with `write`. */
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

/** Lists all references, including those in backticks. */
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
