import { useCallback, useEffect } from 'react';
import { useBridge } from '../../api/bridge.ts';
import { useLeaveGuard, type LeaveGuard } from '../../editor/page/leaving/use-leave-guard.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx';
import styles from './new-workflow.module.css';
import type { NewWorkflow } from './use-new-workflow.ts';
import { emptyInputs } from './new-workflow-inputs.ts';

/**
 * Asks before the entered text is lost by navigation or by closing the window.
 * @param heldRef updated here; set it to false once the text has been saved
 */
export function useUnsavedPrompt(
  { requests, candidates }: Pick<NewWorkflow, 'requests' | 'candidates'>,
  heldRef: React.RefObject<boolean>,
): LeaveGuard {
  // The desktop window would refuse to close.
  const { transport } = useBridge();
  const isEntered =
    requests.blank !== emptyInputs.blank ||
    [requests.shell, requests.crontab, requests.makefile, requests.yaml].some(
      ({ text }) => text.trim() !== '',
    );
  const isDone = candidates.some(({ outcome }) => outcome?.ok === true);
  useEffect(() => {
    heldRef.current = isEntered && !isDone;
  }, [heldRef, isEntered, isDone]);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (heldRef.current && transport === 'http') event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [heldRef, transport]);
  // Navigation within this page does not ask.
  return useLeaveGuard(
    useCallback((wanted: string) => heldRef.current && !/^\/new(?:\/|$)/.test(wanted), [heldRef]),
  );
}

/** Asks whether to discard the entered text. */
export function AbandonDialog({ guard }: { readonly guard: LeaveGuard }) {
  return (
    <Dialog title="Discard this workflow?" onClose={guard.stay}>
      <p className={styles.question}>Your changes will be lost.</p>
      <DialogActions>
        <Button variant="danger" onPress={guard.leave}>
          Discard
        </Button>
        <Button variant="primary" autoFocus onPress={guard.stay}>
          Stay
        </Button>
      </DialogActions>
    </Dialog>
  );
}
