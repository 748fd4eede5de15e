import { CircleCheck } from 'lucide-react';
import { pluralize } from '../../../../core/base/text/pluralize.ts';
import { toAppError } from '../../../../core/base/errors.ts';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { DiagnosticList } from '../../../ui/diagnostics/diagnostic-list.tsx';
import styles from './result.module.css';
import type { ValidationResult } from './use-check.ts';

interface ProblemsProps {
  readonly check: ValidationResult;
  readonly onPoint: (diagnostic: Diagnostic) => void;
}

/** Errors in the text, found by the engine before anything is written; each entry links to its line. */
export function Problems({ check: { answer, error, isBlockedByBaseConfig }, onPoint }: ProblemsProps) {
  return (
    <div className={styles.problems} role="status">
      {answer === undefined && (
        <p className={styles.verdict}>
          {error === null ? 'Validating…' : `Validation failed: ${toAppError(error).message}`}
        </p>
      )}
      {answer?.diagnostics.length === 0 && (
        <p className={styles.verdict} data-valid={!isBlockedByBaseConfig || undefined}>
          {!isBlockedByBaseConfig && <CircleCheck size={14} aria-hidden="true" />}
          <span>
            {isBlockedByBaseConfig ? 'No errors' : 'Valid'},{' '}
            {pluralize(answer.dag?.steps.length ?? 0, 'step')}
            {isBlockedByBaseConfig && '. Fix the base configuration before it can run'}
          </span>
        </p>
      )}
      {answer !== undefined && answer.diagnostics.length > 0 && (
        <DiagnosticList
          label="Problems"
          diagnostics={answer.diagnostics}
          onGo={(diagnostic) => onPoint({ ...diagnostic })}
        />
      )}
    </div>
  );
}
