import { errorText } from '../../format/error-text.ts';
import { showToast } from './toasts.tsx';

/** Shows why an action was rejected, if nothing on the page can show it. */
export const showError = (error: unknown): void => showToast('error', errorText(error));
