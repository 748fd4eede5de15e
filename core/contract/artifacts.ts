import Type, { type Static } from 'typebox';
import { defineOperation } from './operation.ts';
import { DagName, RunId, Timestamp } from './run-views.ts';

/** A file that a step of a run has kept. */
export const ArtifactView = Type.Object({
  /** As `inputFiles` of steps name it. */
  name: Type.String(),
  bytes: Type.Integer(),
  /** When it was kept. */
  at: Timestamp,
});
export type ArtifactView = Static<typeof ArtifactView>;

export const artifactOperations = {
  'runs.artifacts': defineOperation({
    summary: 'Lists the files that steps of a run have kept (`outputFiles`), by name',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/artifacts',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: Type.Object({
      artifacts: Type.Array(ArtifactView),
      /** Absolute path of their folder on the engine's machine; absent when they are in a bucket, or the run has not started. */
      folder: Type.Optional(Type.String()),
    }),
    errors: ['not_found', 'unavailable'],
    role: 'viewer',
  }),
};
