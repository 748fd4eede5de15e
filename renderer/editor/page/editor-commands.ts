import { createContext, useContext } from 'react';
import type { NodeRef } from '../../../core/edit/edit-result.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { RunCommands } from '../run/test-loop.ts';
import type { TextRange } from '../../../core/edit/outline.ts';

/** What views ask of the page, since it needs a dialog or another view. */
export interface EditorCommands {
  /** Asks for a new name of a step. */
  readonly rename: (ref: NodeRef) => void;
  /** Shows the steps to choose one from. */
  readonly listSteps: () => void;
  /** Goes to where a step is edited. */
  readonly edit: (ref: NodeRef) => void;
  /** Shows the problems and goes to one of them. */
  readonly showProblem: (problem: Diagnostic) => void;
  /** Runs the text, or says what that would do. */
  readonly run: RunCommands;
  /** Marks a stretch of the text in the code pane, which is opened for it. */
  readonly showText: (range: TextRange) => void;
}

/** What is shown above the editor: one at a time. */
export type OpenDialog =
  | { readonly kind: 'rename'; readonly step: NodeRef }
  | { readonly kind: 'steps' | 'versions' };

const CommandsContext = createContext<EditorCommands | undefined>(undefined);
export const EditorCommandsProvider = CommandsContext.Provider;

/** The commands of the page, for views inside of it. */
export function useEditorCommands(): EditorCommands {
  const commands = useContext(CommandsContext);
  if (!commands) throw new Error('useEditorCommands is used outside EditorCommandsProvider');
  return commands;
}
