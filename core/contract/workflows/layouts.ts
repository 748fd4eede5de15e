import Type, { type Static, type TSchema } from 'typebox';
import { FileName } from './dags.ts';
import { defineOperation } from '../operation.ts';
import { literals } from '../runs/run-views.ts';

/** A coordinate; larger than any canvas. */
const Coordinate = Type.Number({ minimum: -10_000_000, maximum: 10_000_000 });

const Extent = Type.Number({ minimum: 0, maximum: 10_000_000 });

/** The space of a sub-workflow that is expanded in place of its step. */
const Room = Type.Object({
  width: Extent,
  height: Extent,
  /** Distance by which steps to its right were moved. */
  right: Extent,
  /** Distance by which steps below it were moved. */
  down: Extent,
});

const layoutFields = {
  direction: Type.Optional(literals(['right', 'down'], { description: 'Direction of the graph' })),
  nodes: Type.Record(Type.String(), Type.Object({ x: Coordinate, y: Coordinate }), {
    maxProperties: 20_000,
    description: 'Step positions, by name. Positions of unknown steps are removed when the file is saved.',
  }),
  collapsed: Type.Optional(
    Type.Array(Type.String({ maxLength: 1000 }), {
      maxItems: 2000,
      description: 'Collapsed elements, by name',
    }),
  ),
  expanded: Type.Optional(
    Type.Record(Type.String({ maxLength: 1000 }), Room, {
      maxProperties: 2000,
      description: 'Steps with expanded sub-workflows, by name. Nested steps use both names with a slash.',
    }),
  ),
} satisfies Record<string, TSchema>;

/** Positions of the steps of a workflow on the canvas. */
export const LayoutView = Type.Object(layoutFields);
export type LayoutView = Static<typeof LayoutView>;

const address = {
  fileName: FileName,
  document: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Name of another workflow in the file. Default: the first workflow.',
    }),
  ),
} satisfies Record<string, TSchema>;

export const layoutOperations = {
  'layouts.get': defineOperation({
    summary: 'Get the saved canvas layout of a workflow',
    method: 'GET',
    path: '/dags/{fileName}/layout',
    input: Type.Object(address),
    output: Type.Object({ layout: Type.Optional(LayoutView) }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
  'layouts.put': defineOperation({
    summary: 'Save the canvas layout of a workflow without changing the file',
    method: 'PUT',
    path: '/dags/{fileName}/layout',
    input: Type.Object({ ...address, ...layoutFields }),
    output: LayoutView,
    errors: ['not_found', 'home_unusable', 'storage_full'],
    role: 'manager',
  }),
};
