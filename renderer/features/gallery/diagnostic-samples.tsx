import { DiagnosticList } from '../../ui/diagnostics/diagnostic-list.tsx';
import { SeverityMark } from '../../ui/diagnostics/severity-mark.tsx';
import styles from './gallery.module.css';
import { Section } from './section.tsx';

const diagnostics = [
  {
    severity: 'error',
    line: 7,
    column: 15,
    message: 'Unknown step "fetsh". Did you mean "fetch"?',
  },
  {
    severity: 'warning',
    line: 112,
    column: 3,
    message: '"mailOnError" is deprecated. Use "mailOn.failure".',
  },
] as const;

/** Diagnostics of a workflow file in each severity. */
export function DiagnosticSamples() {
  return (
    <Section title="Problems in a file">
      <div className={styles.row}>
        <SeverityMark severity="error" />
        <SeverityMark severity="warning" />
        <SeverityMark severity="info" />
      </div>
      <div className={styles.box}>
        <DiagnosticList
          label="Problems"
          diagnostics={diagnostics.map((one) => ({ ...one, file: '', path: '' }))}
          onGo={() => undefined}
        />
      </div>
    </Section>
  );
}
