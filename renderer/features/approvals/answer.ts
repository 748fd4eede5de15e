import type { Decision } from '../../../core/model/run/approval.ts';

/** A person's answer to an approval. */
export interface Answer {
  readonly decision: Decision;
  readonly comment: string;
  /** By input name. */
  readonly values: Readonly<Record<string, string>>;
}

/** Lists the required inputs that are empty. */
export const listMissingInputs = (
  required: readonly string[],
  values: Readonly<Record<string, string>>,
): readonly string[] => required.filter((name) => (values[name] ?? '').trim() === '');

/** Builds the request; empty fields are omitted. */
export function toWire({ decision, comment, values }: Answer): {
  decision: Decision;
  comment?: string;
  values?: Record<string, string>;
} {
  const filled = Object.entries(values).filter(([, value]) => value !== '');
  return {
    decision,
    ...(comment.trim() !== '' && { comment }),
    ...(filled.length > 0 && { values: Object.fromEntries(filled) }),
  };
}
