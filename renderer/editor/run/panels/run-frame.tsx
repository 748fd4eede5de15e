import styles from '../run.module.css';
import { LogPane } from './log-pane.tsx';
import { ParamsDialog } from './params-dialog.tsx';
import { RunBar } from './run-bar.tsx';

/** The views with what the test loop shows around them: its bar above, a log below. */
export function RunFrame({ children }: { readonly children: React.ReactNode }) {
  return (
    <>
      <RunBar />
      <div className={styles.views}>{children}</div>
      <LogPane />
      <ParamsDialog />
    </>
  );
}
