import type { Decision } from '../../../core/model/run/approval.ts';

/** What a person says to a question. */
export interface Answer {
  readonly decision: Decision;
  readonly comment: string;
  /** By the names of the inputs. */
  readonly values: Readonly<Record<string, string>>;
}

/** The inputs without which there is no approval, as far as they are empty. */
export const listMissing = (
  required: readonly string[],
  values: Readonly<Record<string, string>>,
): readonly string[] => required.filter((name) => (values[name] ?? '').trim() === '');

/** What is sent: nothing for what was left empty. */
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
