import { dialog } from 'electron';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { translate } from './words.ts';

/** The last words of an app that can't start: one sentence in a box and on the terminal, never a stack trace. */
export function showStartFailure(failure: Failure, language: InterfaceLanguage): string {
  const { titleKey, textKey, params } = describeFailure(failure, language);
  const [title, text] = [translate(language, titleKey, params), translate(language, textKey, params)];
  dialog.showErrorBox(title, text);
  return `${title}. ${text}`;
}
