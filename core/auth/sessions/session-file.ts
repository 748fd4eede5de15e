import Type from 'typebox';
import type { AuthPaths } from '../auth-paths.ts';
import { JsonFile } from '../files/json-file.ts';

/** Sessions that ended early. Times are epoch milliseconds; expired entries are removed. */
const SessionFileContent = Type.Object({
  version: Type.Literal(1),
  ended: Type.Array(Type.Object({ id: Type.String(), until: Type.Number() })),
  /** Users of a provider: sessions started at or before `at` have ended. */
  endedOf: Type.Array(Type.Object({ userId: Type.String(), at: Type.Number(), until: Type.Number() })),
});

export type SessionFile = JsonFile<typeof SessionFileContent>;

export const openSessionFile = ({ sessions, lock }: AuthPaths): SessionFile =>
  new JsonFile({
    file: sessions,
    lock,
    schema: SessionFileContent,
    empty: { version: 1, ended: [], endedOf: [] },
    what: 'session file',
    remedy: 'Delete it together with auth.key in the same folder; all users must log in again.',
  });
