import styles from '../run.module.css';
import { LogPane } from './log-pane.tsx';
import { ParamsDialog } from './params-dialog.tsx';
import { RunBar } from './run-bar.tsx';

/** The views with the run bar above and the log below. */
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
