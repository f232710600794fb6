import { dialog, type BrowserWindow } from 'electron';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { dialogWords, translate } from './words.ts';

/** Tells of something that happened to the person's files at start (E-182, E-186) before it is overlooked. */
export async function showNotice(window: BrowserWindow, notice: Failure, language: InterfaceLanguage): Promise<void> {
  if (window.isDestroyed()) return;
  const { titleKey, textKey, params } = describeFailure(notice, language);
  await dialog.showMessageBox(window, {
    type: 'warning',
    message: translate(language, titleKey, params),
    detail: translate(language, textKey, params),
    buttons: [dialogWords(language)('close')],
  });
}

/** The last words of an app that can't start: one sentence in a box and on the terminal, never a stack trace. */
export function showStartFailure(failure: Failure, language: InterfaceLanguage): string {
  const { titleKey, textKey, params } = describeFailure(failure, language);
  const [title, text] = [translate(language, titleKey, params), translate(language, textKey, params)];
  dialog.showErrorBox(title, text);
  return `${title}. ${text}`;
}
