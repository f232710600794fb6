import { dialog, type BrowserWindow } from 'electron';
import { expectedCredits, type CreditRate } from '../../shared/domain/ledger/expected-cost.ts';
import { numberLocales } from '../../shared/domain/text/write-locale.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { SpendQuestion } from '../services/spend/spend-guard.ts';
import { translate } from './words.ts';
import type { ConsentAnswer, ToolRequest } from '../services/tools/tool-consent.ts';

const sendButton = 0;
const keepButton = 1;

/** Enter and Esc give the safe answer. `isRemembered`: the user need not be asked again. */
export async function askSpend(
  window: BrowserWindow | undefined,
  { estimate, spentMs, limitMs, isUnpriced, waits }: SpendQuestion,
  language: InterfaceLanguage,
  rate: CreditRate,
): Promise<{ readonly isSent: boolean; readonly isRemembered: boolean }> {
  const say = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    translate(language, `dialogs.spend.${key}`, values);
  const span = (ms: number) => {
    if (ms < 60_000) return translate(language, 'editor.time.seconds', { count: Math.ceil(ms / 1000) });
    const all = Math.ceil(ms / 60_000);
    const [hours, minutes] = [Math.floor(all / 60), all % 60];
    return [
      ...(hours > 0 ? [translate(language, 'editor.time.hours', { count: hours })] : []),
      ...(minutes > 0 || hours === 0 ? [translate(language, 'editor.time.minutes', { count: minutes })] : []),
    ].join(' ');
  };
  const isEachTime = limitMs === 0 || isUnpriced === true;
  // Only for recordings are earlier costs known.
  const recordings = (estimate.lengthsMs ?? [estimate.audioMs]).map((durationMs) => ({ durationMs, sizeBytes: 0 }));
  const credits = estimate.audioMs > 0 ? expectedCredits(recordings, rate) : null;
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
            ...(credits !== null && rate.stepMs !== undefined ? [say('wholeMinutes')] : []),
          ]
        : []),
      ...(isEachTime ? [] : [say('hour', { spent: span(spentMs), limit: span(limitMs) })]),
      say('note'),
    ].join('\n'),
    buttons: [say('send'), say(waits === true ? 'keepWaiting' : 'keep')],
    ...(isUnpriced === true && { checkboxLabel: say('notAgain'), checkboxChecked: false }),
    defaultId: keepButton,
    cancelId: keepButton,
  };
  const shown = window === undefined ? dialog.showMessageBox(question) : dialog.showMessageBox(window, question);
  const { response, checkboxChecked } = await shown;
  const isSent = response === sendButton;
  return { isSent, isRemembered: isSent && isUnpriced === true && checkboxChecked };
}

/** Another program chooses these texts, so characters that could hide or reverse the question are removed. */
const plain = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u200b-\u200d\u2028\u2029\u2060-\u2064\ufeff]/gu, ' ').slice(0, 200);

const shownItems = 8;
const minuteMs = 60_000;

/** Enter and Esc give the safe answer, and deletions are confirmed every time. */
export async function askTools(
  window: BrowserWindow | undefined,
  { client, tool, action, estimate, items }: ToolRequest,
  language: InterfaceLanguage,
): Promise<ConsentAnswer> {
  const say = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    translate(language, `dialogs.tools.${key}`, values);
  const name = client === null || client.trim() === '' ? say('someProgram') : plain(client);
  const minutes = Math.max(1, Math.ceil(estimate.audioMs / minuteMs));
  const answers: readonly ConsentAnswer[] = action === 'delete' ? ['once', 'no'] : ['once', 'session', 'no'];
  const labels: Readonly<Record<ConsentAnswer, string>> = {
    once: say('once'),
    session: say('session'),
    no: say('refuse'),
    nobody: '',
  };
  const refuse = answers.indexOf('no');
  const question = {
    type: 'question' as const,
    message: say(action, { client: name }),
    detail: [
      say('what', { tool: plain(tool) }),
      ...items.slice(0, shownItems).map(plain),
      ...(items.length > shownItems ? ['…'] : []),
      ...(estimate.characters > 0
        ? [say(estimate.isRough ? 'mostCharacters' : 'characters', { count: estimate.characters })]
        : []),
      ...(estimate.audioMs > 0
        ? [say('audio', { span: translate(language, 'editor.time.minutes', { count: minutes }) })]
        : []),
      ...(action === 'delete' ? [say('gone')] : []),
      say('note'),
    ].join('\n'),
    buttons: answers.map((answer) => labels[answer]),
    defaultId: refuse,
    cancelId: refuse,
  };
  const shown = window === undefined ? dialog.showMessageBox(question) : dialog.showMessageBox(window, question);
  return answers[(await shown).response] ?? 'no';
}
