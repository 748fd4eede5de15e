import styles from '../run.module.css';
import { DryPane } from './dry-pane.tsx';
import { LogPane } from './log-pane.tsx';
import { ParamsDialog } from './params-dialog.tsx';
import { RunBar } from './run-bar.tsx';

/** The views with what the test loop shows around them: its bar above, a dry run beside, a log below. */
export function RunFrame({ children }: { readonly children: React.ReactNode }) {
  return (
    <>
      <RunBar />
      <div className={styles.beside}>
        <div className={styles.views}>{children}</div>
        <DryPane />
      </div>
      <LogPane />
      <ParamsDialog />
    </>
  );
}
