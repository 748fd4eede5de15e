import type { Transaction } from '../../store/sql/database.ts';

/** Returns the statement that starts a transaction. */
export function beginText({ isReadOnly, isolation }: Pick<Transaction, 'isReadOnly' | 'isolation'>): string {
  const level = (isolation ?? 'read committed').toUpperCase();
  return `BEGIN ISOLATION LEVEL ${level} READ ${isReadOnly ? 'ONLY' : 'WRITE'}`;
}
