import type { Clock } from '../../../base/clock.ts';
import type { Database } from '../../../store/database/database.ts';
import type { TaskRow, TokenRow, WorkerRow } from '../rows.ts';
import type { DispatchSettings } from '../settings.ts';
import type { ChangeNotifier } from './wakes.ts';

/** Dependencies of the operations. */
export interface SqliteDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: DispatchSettings;
  readonly notifier: ChangeNotifier;
}

/** Labels are stored as JSON. */
type Stored<Row> = {
  readonly [Column in keyof Row]: Column extends 'selector' | 'labels' ? string : Row[Column];
};

export const readTaskRow = (row: Stored<TaskRow>): TaskRow => ({
  ...row,
  selector: JSON.parse(row.selector) as string[],
});

export const readLabelled = <Row extends { readonly labels: string }>(
  row: Row,
): Omit<Row, 'labels'> & { readonly labels: string[] } => ({
  ...row,
  labels: JSON.parse(row.labels) as string[],
});

export type StoredTask = Stored<TaskRow>;
export type StoredWorker = Stored<WorkerRow>;
export type StoredToken = Stored<TokenRow>;
