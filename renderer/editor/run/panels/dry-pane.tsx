import { RotateCw, X } from 'lucide-react';
import { DryRunPanel } from '../../../features/dry/dry-run-panel.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { useEditorSession, useSessionView } from '../../session/use-session.ts';
import { useTestState } from '../test-store.ts';
import { useTestLoopContext } from '../use-test-loop.ts';
import styles from '../run.module.css';

/** The result of a dry run, next to the views. */
export function DryRunPane() {
  const loop = useTestLoopContext();
  const session = useEditorSession();
  const dry = useTestState((state) => state.dry);
  const isEarlier = useSessionView(() => dry !== undefined && session.text !== dry.text);
  if (!dry) return null;
  return (
    <section className={styles.dry} aria-label="Dry run">
      <div className={styles.paneHead}>
        <h2>Dry run</h2>
        <IconButton label="Repeat dry run" icon={RotateCw} size="small" onPress={loop.dryRun} />
        <IconButton
          label="Close dry run"
          icon={X}
          size="small"
          onPress={() => loop.store.setState({ dry: undefined })}
        />
      </div>
      {isEarlier && <p className={styles.earlier}>The workflow has changed since this dry run.</p>}
      <DryRunPanel
        key={`${dry.params}\n${dry.text}`}
        fileName={session.fileName}
        params={dry.params}
        spec={dry.text}
      />
    </section>
  );
}
