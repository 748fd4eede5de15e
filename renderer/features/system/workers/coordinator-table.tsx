import { useCoordinators } from '../../../api/queries/operating/worker-queries.ts';
import table from '../../../ui/list/table.module.css';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import system from '../system.module.css';
import styles from './workers.module.css';

/** The coordinators of the workers. */
export function CoordinatorTable() {
  const all = useCoordinators().data?.coordinators ?? [];
  if (all.length === 0) return null;
  return (
    <section className={styles.block} aria-labelledby="coordinators">
      <h2 id="coordinators">Coordinators</h2>
      <table className={`${table.table} ${styles.columns}`}>
        <thead>
          <tr>
            <th className={styles.stateColumn}>State</th>
            <th className={styles.addressColumn}>Address</th>
            <th className={`${table.number} ${styles.countColumn}`}>Workers</th>
            <th>Host</th>
            <th className={styles.sinceColumn}>Since</th>
            <th className={styles.seenColumn}>Last heartbeat</th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ id, url, status, workers, hostname, pid, version, startedAt, lastHeartbeatAt }) => (
            <tr key={id}>
              <td>
                <span className={system.state} data-state={status === 'active' ? 'active' : 'unknown'} />
                {status === 'active' ? 'Active' : 'Offline'}
              </td>
              <td className={table.code}>{url}</td>
              <td className={table.number}>{workers}</td>
              <td title={`Process ${pid}, version ${version}`}>{hostname}</td>
              <td>
                <RelativeTime iso={startedAt} />
              </td>
              <td className={table.muted}>
                <RelativeTime iso={lastHeartbeatAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
