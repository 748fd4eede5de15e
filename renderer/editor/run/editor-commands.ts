import { createContext, useContext } from 'react';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { RunCommands } from './test-loop.ts';
import type { TextRange } from '../../../core/edit/outline.ts';

/** Commands that views request from the page, because they need a dialog or another view. */
export interface EditorCommands {
  /** Opens the rename dialog of a step. */
  readonly rename: (ref: NodeRef) => void;
  /** Opens the list of steps. */
  readonly listSteps: () => void;
  /** Goes to the form of a step. */
  readonly edit: (ref: NodeRef) => void;
  /** Opens the form of the triggers. */
  readonly editTriggers: () => void;
  /** Opens a field of the workflow's own form. */
  readonly editWorkflow: (field: string) => void;
  /**
   * For a click on the empty canvas: where the form lies above the canvas, shows the one of the workflow, or
   * closes it.
   */
  readonly toggleWorkflow: () => void;
  /** Opens the problems panel and selects a problem. */
  readonly showProblem: (problem: Diagnostic) => void;
  /** Runs the text, or does a dry run. */
  readonly run: RunCommands;
  /** Saves unsaved changes, then runs all steps. */
  readonly saveAndRun: () => void;
  /** Selects a range of the text in the code pane, which is opened if needed. */
  readonly showText: (range: TextRange) => void;
}

/** The open dialog of the editor, one at a time. */
export type OpenDialog =
  | { readonly kind: 'rename'; readonly step: NodeRef }
  | { readonly kind: 'steps' | 'versions' };

const CommandsContext = createContext<EditorCommands | undefined>(undefined);
export const EditorCommandsProvider = CommandsContext.Provider;

/** Returns the commands of the page from context. */
export function useEditorCommands(): EditorCommands {
  const commands = useContext(CommandsContext);
  if (!commands) throw new Error('useEditorCommands is used outside EditorCommandsProvider');
  return commands;
}
