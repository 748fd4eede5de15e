import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { toAppError } from '../../../../core/base/errors.ts';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import styles from './result.module.css';
import type { Check } from './use-check.ts';

interface ProblemsProps {
  readonly check: Check;
  readonly onPoint: (diagnostic: Diagnostic) => void;
}

/** What the engine finds wrong in the text, before anything is written; each entry leads to its line. */
export function Problems({ check: { answer, error }, onPoint }: ProblemsProps) {
  return (
    <div className={styles.problems} role="status">
      {answer === undefined && (
        <p className={styles.verdict}>
          {error === null ? 'Checking…' : `The text could not be checked: ${toAppError(error).message}`}
        </p>
      )}
      {answer?.diagnostics.length === 0 && (
        <p className={styles.verdict} data-valid>
          <CircleCheck size={14} aria-hidden="true" />
          <span>Valid, {count(answer.dag?.steps.length ?? 0, 'step')}</span>
        </p>
      )}
      {answer !== undefined && answer.diagnostics.length > 0 && (
        <ul aria-label="Problems">
          {answer.diagnostics.map((diagnostic) => (
            <li key={`${diagnostic.line}:${diagnostic.column}:${diagnostic.message}`}>
              <button type="button" onClick={() => onPoint({ ...diagnostic })}>
                {diagnostic.severity === 'error' ? (
                  <CircleAlert size={14} data-tone="error" aria-label="Error" />
                ) : (
                  <TriangleAlert size={14} data-tone="warning" aria-label="Warning" />
                )}
                <span className={styles.place}>
                  {diagnostic.line}:{diagnostic.column}
                </span>
                <span>{diagnostic.message}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
