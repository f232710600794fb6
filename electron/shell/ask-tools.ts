import { dialog, type BrowserWindow } from 'electron';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { ConsentAnswer, ToolRequest } from '../services/tools/tool-consent.ts';
import { translate } from './words.ts';

/** Another program chooses these texts, so characters that could hide or reverse the question are removed. */
const plain = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u200b-\u200d\u2028\u2029\u2060-\u2064\ufeff]/gu, ' ').slice(0, 200);

const shownItems = 8;
const minuteMs = 60_000;

/**
 * Asks the user whether a program may do what costs or deletes. Enter and Esc give the safe answer, and deletions are
 * confirmed every time.
 */
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
