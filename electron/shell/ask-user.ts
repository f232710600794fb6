import { dialog, type BrowserWindow } from 'electron';
import { expectedCredits, type CreditRate } from '../../shared/domain/ledger/expected-cost.ts';
import { numberLocales, writeList } from '../../shared/domain/text/write-locale.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { stepOf, weightMs, type AudioWork } from '../../shared/domain/spend/spend-limit.ts';
import type { SpendQuestion } from '../services/spend/spend-guard.ts';
import { wholeSeconds } from '../../shared/domain/time/time-code.ts';
import { translate } from './words.ts';
import type { ConsentAnswer, ToolRequest } from '../services/tools/tool-consent.ts';

const sendButton = 0;
const keepButton = 1;

/** Enter and Esc give the safe answer, which loses nothing. `isRemembered`: the user need not be asked again. */
export async function askSpend(
  window: BrowserWindow | undefined,
  { estimate, spentMs, limitMs, isUnpriced, waits, newAddress, isHeld, lacksToken }: SpendQuestion,
  language: InterfaceLanguage,
  rateOf: (work: AudioWork) => CreditRate,
): Promise<{ readonly admitted: boolean | 'waits'; readonly isRemembered: boolean }> {
  const say = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    translate(language, `dialogs.spend.${key}`, values);
  /** Seconds are left out of hours, where they say little. */
  const span = (ms: number) => {
    const step = ms < 3_600_000 ? 1 : 60;
    const all = Math.floor(wholeSeconds(ms) / step) * step;
    const parts = { hours: Math.floor(all / 3600), minutes: Math.floor(all / 60) % 60, seconds: all % 60 };
    return (['hours', 'minutes', 'seconds'] as const)
      .filter((unit) => parts[unit] > 0 || (unit === 'seconds' && all === 0))
      .map((unit) => translate(language, `editor.time.${unit}`, { count: parts[unit] }))
      .join(' ');
  };
  const isEachTime = limitMs === 0 || isUnpriced === true;
  const prices = (estimate.recordings ?? []).map(({ work, durationMs }) => {
    const rate = rateOf(work);
    return expectedCredits([{ durationMs, sizeBytes: 0 }], { ...rate, creditsPerGigabyte: null });
  });
  const isByMinutes = estimate.recordings?.every(({ work }) => stepOf(work) !== undefined) ?? false;
  const length = { span: span(estimate.audioMs), counted: span(weightMs(estimate)) };
  const counts = isByMinutes && length.counted !== length.span ? 'counted' : 'length';
  const known = prices.flatMap((credits) => credits ?? []);
  const isKnown = known.length === prices.length && known.length > 0;
  const credits = isKnown ? known.reduce((sum, one) => sum + one, 0) : null;
  const amountOf = (amount: number | string, step: number) => {
    const count = Math.ceil(Number((Number(amount) / step).toPrecision(12))) * step;
    return { count, amount: new Intl.NumberFormat(numberLocales[language]).format(count) };
  };
  const { usual = null, most = null } = estimate.price ?? {};
  const cost =
    credits !== null
      ? [say('expected', amountOf(credits, 1)), say('judged')]
      : usual !== null
        ? [say('expected', amountOf(usual, 0.01))]
        : most !== null
          ? [say('most', amountOf(most, 0.01))]
          : [say('unreported'), ...(lacksToken === true ? [say('token')] : [])];
  const requests = say(estimate.audioMs > 0 ? 'recordings' : 'requests', { count: estimate.requests });
  const characters = translate(language, 'speak.characters', { count: estimate.characters });
  const languages = [...new Set(estimate.recordings?.flatMap((one) => one.language ?? []))].map((spoken) =>
    translate(language, `dialogs.spend.spoken.${spoken}`),
  );
  const question = {
    type: 'question' as const,
    message: say(!isEachTime ? 'aboveQuestion' : isHeld === true ? 'heldQuestion' : 'question'),
    detail: [
      ...(newAddress === undefined ? [] : [say('otherAccount', { address: newAddress })]),
      estimate.isByCharacters === true ? say('charactersIn', { characters, requests }) : requests,
      ...(estimate.audioMs > 0 ? [say(estimate.isRough ? `${counts}Rough` : counts, length)] : []),
      ...(languages.length > 0 ? [say('languages', { languages: writeList(languages, language) })] : []),
      ...cost,
      ...(isEachTime ? [] : [say('hour', { spent: span(spentMs), limit: span(limitMs) })]),
      say('note'),
    ].join('\n'),
    buttons: [say('send'), ...(waits === true ? [say('keepWaiting')] : []), say('keep')],
    ...(isUnpriced === true && { checkboxLabel: say('notAgain'), checkboxChecked: false }),
    defaultId: keepButton,
    cancelId: keepButton,
  };
  const shown = window === undefined ? dialog.showMessageBox(question) : dialog.showMessageBox(window, question);
  const { response, checkboxChecked } = await shown;
  const isSent = response === sendButton;
  const admitted = isSent || (waits === true && response === keepButton && 'waits');
  return { admitted, isRemembered: isSent && isUnpriced === true && checkboxChecked };
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
