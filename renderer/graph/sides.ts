import { Position } from 'reactflow';
import type { Direction } from './layout/layout-input.ts';

/** Returns the sides of a card for incoming and outgoing lines. */
export const handleSidesFor = (direction: Direction) =>
  direction === 'RIGHT'
    ? { target: Position.Left, source: Position.Right }
    : { target: Position.Top, source: Position.Bottom };
