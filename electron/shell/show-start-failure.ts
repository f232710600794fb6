import { dialog } from 'electron';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { KnownRow } from '../../shared/domain/failures/rows.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { translate } from './words.ts';

/** The last words of an app that can't start: one sentence in a box and on the terminal, never a stack trace. */
export function showStartFailure(row: KnownRow, language: InterfaceLanguage): string {
  const { titleKey, textKey, params } = describeFailure(makeFailure(row), language);
  const [title, text] = [translate(language, titleKey, params), translate(language, textKey, params)];
  dialog.showErrorBox(title, text);
  return `${title}. ${text}`;
}
