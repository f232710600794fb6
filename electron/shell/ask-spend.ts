import { dialog, type BrowserWindow } from 'electron';
import { expectedCredits, type CreditRate } from '../../shared/domain/ledger/expected-cost.ts';
import { numberLocales } from '../../shared/domain/text/write-locale.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { SpendQuestion } from '../services/spend/spend-guard.ts';
import { translate } from './words.ts';

const sendButton = 0;
const keepButton = 1;

/** Asks before more is sent in an hour than the user's limit; Enter and Esc give the safe answer. */
export async function askSpend(
  window: BrowserWindow | undefined,
  { estimate, spentMs, limitMs }: SpendQuestion,
  language: InterfaceLanguage,
  rate: CreditRate,
): Promise<boolean> {
  const say = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    translate(language, `dialogs.spend.${key}`, values);
  const span = (ms: number) => {
    const all = Math.ceil(ms / 60_000);
    const [hours, minutes] = [Math.floor(all / 60), all % 60];
    return [
      ...(hours > 0 ? [translate(language, 'editor.time.hours', { count: hours })] : []),
      ...(minutes > 0 || hours === 0 ? [translate(language, 'editor.time.minutes', { count: minutes })] : []),
    ].join(' ');
  };
  const isEachTime = limitMs === 0;
  // Only for recordings are earlier costs known.
  const credits = estimate.audioMs > 0 ? expectedCredits([{ durationMs: estimate.audioMs, sizeBytes: 0 }], rate) : null;
  const question = {
    type: 'question' as const,
    message: say(isEachTime ? 'question' : 'aboveQuestion'),
    detail: [
      say(estimate.audioMs > 0 ? 'recordings' : 'requests', { count: estimate.requests }),
      ...(estimate.audioMs > 0
        ? [say(estimate.isRough ? 'lengthRough' : 'length', { span: span(estimate.audioMs) })]
        : []),
      ...(estimate.audioMs > 0
        ? [
            credits === null || rate.creditsPerHour === null
              ? say('unreported')
              : say('expected', {
                  count: Math.ceil(credits),
                  amount: new Intl.NumberFormat(numberLocales[language]).format(Math.ceil(credits)),
                }),
          ]
        : []),
      ...(isEachTime ? [] : [say('hour', { spent: span(spentMs), limit: span(limitMs) })]),
      say('note'),
    ].join('\n'),
    buttons: [say('send'), say('keep')],
    defaultId: keepButton,
    cancelId: keepButton,
  };
  const shown = window === undefined ? dialog.showMessageBox(question) : dialog.showMessageBox(window, question);
  return (await shown).response === sendButton;
}
