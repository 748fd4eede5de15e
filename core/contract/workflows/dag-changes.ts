import Type, { type Static } from 'typebox';
import { SpecHash } from './dag-files.ts';
import { FileName } from './dags.ts';
import { defineStream } from '../operation.ts';
import { literals } from '../runs/run-views.ts';

/** A change of a workflow file, by any program. */
export const DagChangeView = Type.Object({
  fileName: Type.String(),
  kind: literals(['changed', 'created', 'removed', 'renamed']),
  /** Hash of the current text; absent for a deleted file. */
  hash: Type.Optional(SpecHash),
  /**
   * For `renamed`: the previous name. A rename by another program is reported as one `removed` and one `created` file.
   */
  from: Type.Optional(Type.String()),
});
export type DagChangeView = Static<typeof DagChangeView>;

export const dagChangeStreams = {
  'dags.changes': defineStream({
    summary: 'Stream changes of workflow files, for a single file or all files',
    path: '/dag-changes',
    input: Type.Object({ fileName: Type.Optional(FileName) }),
    item: DagChangeView,
    errors: ['too_many_requests'],
    role: 'viewer',
  }),
};
