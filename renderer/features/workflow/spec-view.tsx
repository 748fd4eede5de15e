import { memo, useMemo, useRef } from 'react';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { DiagnosticList } from '../../ui/diagnostics/diagnostic-list.tsx';
import { SeverityMark } from '../../ui/diagnostics/severity-mark.tsx';
import { highlightYaml } from './colour-yaml.ts';
import styles from './workflow.module.css';

interface SpecViewProps {
  readonly spec: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Read-only text of a workflow file, with diagnostics at their lines. */
export function SpecView({ spec, diagnostics }: SpecViewProps) {
  const lines = useMemo(() => spec.replace(/\n$/, '').split('\n'), [spec]);
  const box = useRef<HTMLDivElement>(null);
  const goTo = (line: number): void =>
    box.current?.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: 'center' });
  return (
    <div className={styles.spec}>
      {diagnostics.length > 0 && (
        <div className={styles.diagnostics}>
          <DiagnosticList label="Problems" diagnostics={diagnostics} onGo={({ line }) => goTo(line)} />
        </div>
      )}
      <div className={styles.code} ref={box}>
        <div className={styles.copy}>
          <CopyButton label="Copy file" text={spec} />
        </div>
        <pre>
          {lines.map((line, index) => (
            <SpecLine
              // Lines have no identity other than their position.
              key={index}
              number={index + 1}
              text={line}
              diagnostics={
                diagnostics.length > 0 ? diagnostics.filter((one) => one.line === index + 1) : none
              }
            />
          ))}
        </pre>
      </div>
    </div>
  );
}

const none: readonly Diagnostic[] = [];

interface SpecLineProps {
  readonly number: number;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

const SpecLine = memo(function SpecLine({ number, text, diagnostics }: SpecLineProps) {
  const severity = diagnostics.some((one) => one.severity === 'error') ? 'error' : diagnostics[0]?.severity;
  return (
    <>
      <span className={styles.line} data-line={number} data-severity={severity}>
        <span className={styles.number}>{number}</span>
        <code>
          {highlightYaml(text).map(({ kind, text: part }, index) => (
            <span key={index} data-kind={kind}>
              {part}
            </span>
          ))}
        </code>
      </span>
      {diagnostics.map(({ severity: each, message, column }) => (
        <span key={column + message} className={styles.remark} data-severity={each}>
          <SeverityMark severity={each} />
          {message}
        </span>
      ))}
    </>
  );
});
