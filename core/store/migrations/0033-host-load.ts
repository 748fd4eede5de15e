/** Version and load of hosts, absent for those of earlier releases. For SQLite and PostgreSQL. Never edit a released migration; add a new one. */
const hostLoad = (text: string, real: string): string => /* sql */ `
ALTER TABLE host ADD COLUMN version ${text};
-- Of all processors of its machine at the last heartbeat, 1 when all are busy.
ALTER TABLE host ADD COLUMN load ${real};
`;
export const hostLoadSql = hostLoad('TEXT', 'REAL');
export const hostLoadServerSql = hostLoad('text COLLATE "C"', 'double precision');
