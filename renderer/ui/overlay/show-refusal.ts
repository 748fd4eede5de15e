import { refusalText } from '../../format/refusal-text.ts';
import { showToast } from './toasts.tsx';

/** Shows why an action was refused, if nothing on the page can show it. */
export const showRefusal = (thrown: unknown): void => showToast('error', refusalText(thrown));
