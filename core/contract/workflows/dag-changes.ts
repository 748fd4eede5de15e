import Type, { type Static } from 'typebox';
import { SpecHash } from './dag-files.ts';
import { FileName } from './dags.ts';
import { defineStream } from '../operation.ts';
import { literals } from '../runs/run-views.ts';

/** Something has happened to a workflow file, whoever did it. */
export const DagChangeView = Type.Object({
  fileName: Type.String(),
  kind: literals(['changed', 'created', 'removed', 'renamed']),
  /** Of the text that the file has now; absent for one that is gone. */
  hash: Type.Optional(SpecHash),
  /** Of `renamed`: the name before. What others rename is one file `removed` and one `created`. */
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
