/**
 * Allowed HTTP methods of receivers, separated by spaces, and the method of each request. For SQLite and PostgreSQL.
 * Never edit a released migration; add a new one.
 */
const receiverMethods = (text: string): string => /* sql */ `
ALTER TABLE webhook_receiver ADD COLUMN methods ${text} NOT NULL DEFAULT 'POST';
ALTER TABLE webhook_received ADD COLUMN method ${text} NOT NULL DEFAULT 'POST';
`;
export const receiverMethodsSql = receiverMethods('TEXT');
export const receiverMethodsServerSql = receiverMethods('text COLLATE "C"');
